import { preference } from "../storage/preferences.js";

const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-layer]';
const fields = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';

/**
 * Whether a key without Ctrl, Alt or ⌘ is the page's: nothing has used it, no layer covers the page, and no field
 * takes what is typed. Letters and signs can be switched off, for who speaks to the computer types them by chance.
 */
export function isFree(event: KeyboardEvent): boolean {
  // On some keyboards `[` needs a key that counts as Ctrl and Alt together.
  const isChord = event.ctrlKey || event.altKey || event.metaKey;
  if (isChord && !event.getModifierState("AltGraph")) return false;
  const isLetter = event.key.length === 1 && event.key !== " ";
  return isUntaken(event) && (!isLetter || preference("letterKeys") === "on");
}

/** Whether a key with Ctrl or ⌘ is the page's; no other key is held. */
export function isMain(event: KeyboardEvent, key: string): boolean {
  return (
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    !event.shiftKey &&
    event.key.toLowerCase() === key
  );
}

/** Whether a layer covers the page. */
export function isUnderLayer(): boolean {
  return document.querySelector(layers) !== null;
}

/** What Alt with an arrow opens. */
const opening =
  'select, input[type="date"], input[type="datetime-local"], [role="combobox"], [aria-haspopup]';

/** Whether a key with Alt is the page's: nothing has used it, and it does not open what has the focus. */
export function isAlt(event: KeyboardEvent): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.defaultPrevented || isUnderLayer()) return false;
  return !(event.target instanceof Element) || event.target.closest(opening) === null;
}

/** Whether nothing has used the key, no layer covers the page, and no field takes what is typed. */
export function isUntaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isUnderLayer()) return false;
  return !(event.target instanceof Element) || event.target.closest(fields) === null;
}

/** What the key beside the space bar is called here. */
export function mainKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}
