/** Words that are cut off at the edge of what holds them, with neither an ellipsis nor a way to scroll to the rest. */
export const cutWords = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const leftOut = ".hidden, .skip, [aria-hidden=true], [hidden], option, script, style";
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (text.data.trim() === "" || parent.closest(leftOut) !== null) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const words = range.getBoundingClientRect();
    let across = true;
    let down = true;
    for (let one = parent; one !== document.body && (across || down); one = one.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const isShort = textOverflow === "ellipsis" || webkitLineClamp !== "none";
      if (isShort || /auto|scroll/.test(overflowX)) across = false;
      if (isShort || /auto|scroll/.test(overflowY)) down = false;
      const isCut =
        (across && /hidden|clip/.test(overflowX) &&
          (words.left < box.left - 1 || words.right > box.right + 1)) ||
        (down && /hidden|clip/.test(overflowY) &&
          (words.top < box.top - 1 || words.bottom > box.bottom + 1));
      if (isCut) {
        found.push("cut off: " + text.data.trim().slice(0, 60) + " in " + one.className);
        break;
      }
    }
  }
  return found;
})()`;

/**
 * What can have the focus and is not seen to have it, or is covered by something else then. A key has to have been pressed
 * before: browsers show no focus to a mouse.
 */
export const lostStops = `(async () => {
  const kinds = "a[href], button, input, select, textarea, summary, [tabindex]";
  const stops = [...document.querySelectorAll(kinds)].filter(
    (one) =>
      one.tabIndex >= 0 && !one.disabled && one.type !== "file" &&
      one.checkVisibility({ visibilityProperty: true }) &&
      one.closest("[inert], [aria-hidden=true]") === null);
  const drawn = () => new Promise((done) => requestAnimationFrame(done));
  const look = (one) =>
    [one, one.parentElement, one.parentElement.parentElement, ...(one.labels ?? [])]
      .map((part) => getComputedStyle(part))
      .map(({ outline, boxShadow, borderColor, backgroundColor, opacity }) =>
        [outline, boxShadow, borderColor, backgroundColor, opacity].join(" "))
      .join("; ");
  // Not wholly hidden (WCAG 2.4.11): a table may be larger than its window.
  const isSeen = (one) => {
    const box = one.getClientRects()[0];
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    const mine = [one, ...(one.labels ?? [])];
    return [0.5, 0.1, 0.9].some((share) => {
      const at = document.elementFromPoint(
        left + (right - left) * share, top + (bottom - top) * share);
      return at !== null && mine.some((part) => part.contains(at) || at.contains(one));
    });
  };
  const found = [];
  document.activeElement.blur();
  for (const one of stops) {
    if (!one.isConnected) continue;
    await drawn();
    const before = look(one);
    one.focus();
    await drawn();
    const name = one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.textContent ||
      one.outerHTML.slice(0, 80);
    if (document.activeElement !== one) continue;
    if (look(one) === before) found.push("the focus is not seen on: " + name.trim());
    if (!isSeen(one)) found.push("the focus is covered on: " + name.trim());
  }
  document.querySelector("h1[tabindex]")?.focus();
  return found;
})()`;
