let held = "";

/** The text typed for a layer while it was loading: the initial content of its field. */
export function typedAhead(): string {
  return held;
}

/**
 * Captures the keys typed for a layer while it loads: otherwise they would change the focused field, or be lost. The
 * returned function stops it; Escape calls `onEscape`.
 */
export function holdTyping(onEscape: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isChord = event.ctrlKey || event.altKey || event.metaKey;
    if (isChord || event.isComposing || document.querySelector("[data-layer]") === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") onEscape();
    else if (event.key === "Backspace") held = [...held].slice(0, -1).join("");
    else if ([...event.key].length === 1) held += event.key;
  };
  // Before any other handler of the page.
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    held = "";
  };
}
