/** A quick look at a row. */
export const enLook = Object.freeze({
  at: (title: string) => `Quick look at ${title}`,
  open: (thing: string) => `Open ${thing}`,
  unknown: "…",
  cut: (text: string) => `${text}…`,
  keys: "Arrows show the next one, Space closes this.",
});
