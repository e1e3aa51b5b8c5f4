/** Puts a text on the clipboard; false where the browser keeps that from pages. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyChosen(text);
  }
}

/** Copies the old way, for pages without TLS: browsers give them no `navigator.clipboard`. */
function copyChosen(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.className = "hidden";
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
