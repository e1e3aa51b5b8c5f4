/**
 * Moves the focus to the page's heading when the focused element disappears: a deleted row, a replaced button, the
 * previous page. A browser would move it to the body, where the keyboard starts from the top and a screen reader is
 * silent. A click outside any control changes nothing.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  document.addEventListener("focusout", ({ target }) => {
    requestAnimationFrame(() => {
      if (last === target && last?.isConnected === true) last = null;
    });
  });
  new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    // Two frames later, because a replacement of the element may take the focus itself.
    requestAnimationFrame(() => requestAnimationFrame(catchFocus));
  }).observe(document.body, { childList: true, subtree: true });
}

function catchFocus(): void {
  if (document.activeElement !== document.body) return;
  const layers = document.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]');
  const heading = document.querySelector<HTMLElement>("h1[tabindex]");
  ([...layers].at(-1) ?? heading)?.focus({ preventScroll: true });
}
