/** A descriptor's words for a place where programs show Markdown: as text, never as HTML or an address that runs. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, "&lt;").replaceAll(/(javascript):/gi, "$1&#58;");
}
