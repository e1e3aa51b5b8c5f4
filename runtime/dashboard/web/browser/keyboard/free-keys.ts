import { preference } from "../storage/preferences.js";

const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-layer]';
const fields = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';

/**
 * Whether a key without Ctrl, Alt or ⌘ is a shortcut of the page: it is unhandled, no layer covers the page, and no
 * text field has the focus. Letters and symbols can be disabled, for speech input that types them accidentally.
 */
export function isFree(event: KeyboardEvent): boolean {
  // On some keyboards `[` requires a key that reports both Ctrl and Alt.
  const isChord = event.ctrlKey || event.altKey || event.metaKey;
  if (isChord && !event.getModifierState("AltGraph")) return false;
  const isLetter = event.key.length === 1 && event.key !== " ";
  return isUntaken(event) && (!isLetter || preference("letterKeys") === "on");
}

/** Whether a key with Ctrl or ⌘, and no other modifier, is a shortcut of the page. */
export function isMain(event: KeyboardEvent, key: string): boolean {
  return (
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    !event.shiftKey &&
    event.key.toLowerCase() === key
  );
}

export function isUnderLayer(): boolean {
  return document.querySelector(layers) !== null;
}

/** Elements that are opened by Alt with an arrow key. */
const opening =
  'select, input[type="date"], input[type="datetime-local"], [role="combobox"], [aria-haspopup]';

/** Whether a key with Alt is a shortcut of the page: it is unhandled, and does not open the focused element. */
export function isAlt(event: KeyboardEvent): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.defaultPrevented || isUnderLayer()) return false;
  return !(event.target instanceof Element) || event.target.closest(opening) === null;
}

/** Whether the key is unhandled, no layer covers the page, and no text field has the focus. */
export function isUntaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isUnderLayer()) return false;
  return !(event.target instanceof Element) || event.target.closest(fields) === null;
}

/** Returns the local name of the key next to the space bar. */
export function mainKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}
