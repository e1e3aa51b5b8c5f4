import { storeForTab } from "../client/stored.js";
import { type Viewing, viewingKey } from "../client/viewing.js";

/** Opens a window for the view. Returns false if the browser refuses. */
export function openViewing(view: Viewing): boolean {
  const width = Math.min(1280, screen.availWidth);
  const height = Math.min(900, screen.availHeight);
  try {
    // The new window begins with a copy of this one's storage.
    storeForTab(viewingKey, view);
  } catch {
    return false;
  }
  const opened = window.open("/", "_blank", `popup,width=${width},height=${height}`);
  storeForTab(viewingKey, null);
  return opened !== null;
}

/** Closes the view's window. If the browser does not allow that, a reload shows the operator's own pages. */
export function closeViewing(): void {
  storeForTab(viewingKey, null);
  window.close();
}
