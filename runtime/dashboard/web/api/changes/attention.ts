/** Whether the page is visible and the browser is online. */
export function isShownOnline(): boolean {
  return document.visibilityState === "visible" && navigator.onLine;
}

/** Waits until the page is visible and online, or until `over` is aborted. */
export function whenShownOnline(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isShownOnline() && !over.aborted) return;
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
      over.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    over.addEventListener("abort", look);
    look();
  });
}
