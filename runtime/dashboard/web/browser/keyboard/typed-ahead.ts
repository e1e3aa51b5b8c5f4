let held = "";

/** Returns the text typed for a layer while it was loading, which its field initially contains. */
export function typedAhead(): string {
  return held;
}

/**
 * Captures the keys typed for a layer while it loads: otherwise they would change the focused field, or be lost. The
 * returned function stops this; Escape calls `onEscape`.
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
  // In the capture phase, before any other handler of the page.
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    held = "";
  };
}

/** The keys pressed while a control over the page loads, in order. */
let queue: KeyboardEvent[] = [];
let isReleasing = false;

/**
 * Holds back all keys while a layer loads: text, and the keys that leave the control and open the next one.
 * `releaseKeys` dispatches them.
 */
export function holdKeys(): void {
  // In the capture phase, before any other handler of the page.
  window.addEventListener("keydown", hold, true);
}

function hold(event: KeyboardEvent): void {
  // Released keys are not trusted events, so they are not held again.
  if (!event.isTrusted || event.ctrlKey || event.altKey || event.metaKey || event.isComposing)
    return;
  if (!isReleasing && document.querySelector("[data-layer][hidden]") === null) {
    window.removeEventListener("keydown", hold, true);
    queue = [];
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  queue.push(event);
}

/** Dispatches the held keys to the focused element, one after another. */
export async function releaseKeys(): Promise<void> {
  if (isReleasing) return;
  isReleasing = true;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    press(next);
    // Waits until the page shows the effect of the key, and has moved the focus.
    await new Promise((resolve) => setTimeout(resolve));
  }
  isReleasing = false;
}

function press({ key, shiftKey }: KeyboardEvent): void {
  const focused = document.activeElement ?? document.body;
  const isText =
    focused instanceof HTMLTextAreaElement ||
    (focused instanceof HTMLInputElement && focused.selectionStart !== null);
  if (isText && [...key].length === 1) {
    const [from, to] = [focused.selectionStart ?? 0, focused.selectionEnd ?? 0];
    focused.setRangeText(key, from, to, "end");
    focused.dispatchEvent(new InputEvent("input", { bubbles: true }));
    return;
  }
  const options = { key, shiftKey, bubbles: true, cancelable: true };
  focused.dispatchEvent(new KeyboardEvent("keydown", options));
}
