/**
 * What can be pressed and is too small for it, as WCAG 2.5.8 counts: a label belongs to its input, a link within a
 * sentence may be as high as its line, and a small target may be alone. 24 pixels; 40 with a finger. What is
 * outside of a box until somebody scrolls the box is not near to what is beside the box.
 */
export const smallTargets = `(() => {
  const least = matchMedia("(pointer: coarse)").matches ? 40 : 24;
  const kinds = "a[href], button, input, select, textarea, summary, " +
    ["button", "link", "option", "menuitem", "tab", "switch", "checkbox", "radio", "slider"]
      .map((role) => "[role=" + role + "]").join(", ");
  const isInSentence = (one) =>
    one.matches("a") && getComputedStyle(one).display === "inline" &&
    one.parentElement.textContent.trim() !== one.textContent.trim();
  const boxOf = (one) => {
    const boxes = [one, ...(one.labels ?? [])]
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1);
    const left = Math.min(...boxes.map(({ left }) => left));
    const top = Math.min(...boxes.map(({ top }) => top));
    const right = Math.max(...boxes.map(({ right }) => right));
    const bottom = Math.max(...boxes.map(({ bottom }) => bottom));
    return { one, left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const isScrolledAway = ({ one, x, y }) => {
    for (let around = one.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const { left, top, right, bottom } = around.getBoundingClientRect();
      if (around !== document.documentElement && (x < left || x > right || y < top || y > bottom)) return true;
    }
    return false;
  };
  const all = [...document.querySelectorAll(kinds)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.closest("[aria-hidden=true], [inert], .hidden, .skip") === null)
    .map(boxOf)
    .filter(({ left, right }) => right - left > 1)
    .filter((box) => !isScrolledAway(box));
  // Half a pixel is the rounding of a scaled screen.
  const isSmall = ({ left, top, right, bottom }) =>
    right - left < least - 0.5 || bottom - top < least - 0.5;
  const far = ({ x, y }, other) => {
    const across = Math.max(other.left - x, 0, x - other.right);
    const down = Math.max(other.top - y, 0, y - other.bottom);
    return Math.hypot(across, down);
  };
  const standsAlone = (one) =>
    all.every((other) =>
      other === one || one.one.contains(other.one) || other.one.contains(one.one) ||
      (isSmall(other)
        ? Math.hypot(one.x - other.x, one.y - other.y) >= least - 0.5
        : far(one, other) >= least / 2 - 0.5));
  return all
    .filter((one) => isSmall(one) && !isInSentence(one.one) && !standsAlone(one))
    .map(({ one, left, top, right, bottom }) =>
      "too small to press: " + Math.round(right - left) + " by " + Math.round(bottom - top) + " " +
      one.outerHTML.slice(0, 160));
})()`;
