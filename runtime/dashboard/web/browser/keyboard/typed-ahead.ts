let held = "";

/** What was typed for a layer while it was loaded: the beginning of what its field contains. */
export function typedAhead(): string {
  return held;
}

/**
 * Until a layer is loaded, holds what is typed for it: it would change the field that has the focus under it, or be
 * lost. Ends with the returned function; Escape calls `onEscape`.
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
  // Before anything else on the page handles it.
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    held = "";
  };
}
