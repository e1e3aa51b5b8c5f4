/**
 * Controls that are outside of the window from side to side. A table that is wider than its box scrolls in it, as do
 * tabs and chips.
 */
export const controlsOutside = `[...document.querySelectorAll("body :is(a, button, input, select, textarea, summary)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) &&
    one.closest("table, .tabs, .chips, .hidden, .skip, pre") === null)
  .map((one) => ({ one, box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && (box.left < -1 || box.right > innerWidth + 1))
  .map(({ one, box }) => "outside: " + (one.textContent || one.getAttribute("aria-label") || one.outerHTML.slice(0, 80)) +
    " from " + Math.round(box.left) + " to " + Math.round(box.right))`;

/**
 * Texts and controls that are drawn over each other. What is above the page, such as a dialog or a bar that stays while
 * rows scroll below it, is compared with itself alone.
 */
export const overlaps = `(() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // The numbers of lines are below the text that they count.
  const leftOut = ".hidden, .skip, option, script, style, title, desc, noscript, :has(> textarea) > [aria-hidden=true]";
  const layerOf = (one) => {
    for (let part = one; part !== null; part = part.parentElement) {
      const { position, zIndex } = getComputedStyle(part);
      const isAbove = position === "fixed" || position === "sticky" || (position === "absolute" && zIndex !== "auto");
      if (isAbove || part.matches("[role=dialog], [role=alertdialog]")) return part;
    }
    return document.body;
  };
  /** What of a rectangle is not cut off by the boxes around it. */
  const shown = (rect, one) => {
    let { left, top, right, bottom } = rect;
    for (let part = one; part !== null && part !== document.body; part = part.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(part);
      const box = part.getBoundingClientRect();
      if (overflowX !== "visible") { left = Math.max(left, box.left); right = Math.min(right, box.right); }
      if (overflowY !== "visible") { top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom); }
      if (position === "fixed") break;
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  const add = (one, rect, name) => {
    const box = shown(rect, one);
    if (box.right - box.left > 1 && box.bottom - box.top > 1) boxes.push({ one, name, layer: layerOf(one), ...box });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (text.data.trim() === "" || parent.closest(leftOut) !== null || !seen(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) add(parent, rect, text.data.trim().slice(0, 50));
  }
  for (const one of document.querySelectorAll("button, input, select, textarea")) {
    if (one.closest(leftOut) !== null || !seen(one) || one.type === "file") continue;
    const name = one.getAttribute("aria-label") || one.name || one.textContent.slice(0, 50) || one.outerHTML.slice(0, 80);
    add(one, one.getBoundingClientRect(), "<" + one.nodeName.toLowerCase() + "> " + name);
  }
  boxes.sort((one, other) => one.top - other.top);
  const found = [];
  for (const [at, one] of boxes.entries()) {
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom; next += 1) {
      const other = boxes[next];
      if (one.layer !== other.layer || one.one.contains(other.one) || other.one.contains(one.one)) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const least = Math.min(one.bottom - one.top, other.bottom - other.top);
      if (across > 2 && down > 0.4 * least) {
        found.push("overlap: " + one.name + " | " + other.name + " by " + Math.round(across) + " x " + Math.round(down));
      }
    }
  }
  return found;
})()`;

/** Heads of columns that are not aligned as the values below them. */
export const crookedHeads = `[...document.querySelectorAll("table:has(thead)")]
  .filter((table) => table.checkVisibility())
  .flatMap((table) => {
    const sideOf = (one) => {
      const { textAlign, direction } = getComputedStyle(one);
      const isLeft = textAlign === "left" || textAlign === (direction === "rtl" ? "end" : "start");
      return isLeft ? "left" : textAlign === "center" ? "center" : "right";
    };
    const heads = [...(table.tHead.rows[table.tHead.rows.length - 1]?.cells ?? [])];
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    return rows.slice(0, 5).flatMap((row) =>
      row.cells.length !== heads.length ? [] : [...row.cells].flatMap((cell, at) => {
        const head = heads[at];
        const isShown = head.checkVisibility() && cell.checkVisibility() && head.textContent.trim() !== "" && cell.textContent.trim() !== "";
        return !isShown || sideOf(head) === sideOf(cell) ? [] :
          ["crooked: " + head.textContent.trim() + " is " + sideOf(head) + " over " + cell.textContent.trim().slice(0, 30)];
      }));
  })`;
