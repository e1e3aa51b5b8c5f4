/** Texts that are shown as they are, run nothing and widen nothing. */
export const hostile = {
  html: `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`,
  rightToLeft: "\u202Eشاي أخضر من الجبل",
  emoji: "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪 tea",
  wide: "W".repeat(255),
  template: `\${7*7} {{7*7}} </title></textarea><svg onload="globalThis.ran=1">`,
} as const;

/** Whether any of them ran, or became elements: an expression for the page. */
export const hasRun = `
  globalThis.ran !== undefined ||
  document.querySelector("img[src='x'], [onerror], [onload], body script:not([src])") !== null`;
