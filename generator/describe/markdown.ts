/** Escapes a descriptor's text for Markdown, so that it is never rendered as HTML or a script address. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, "&lt;").replaceAll(/(javascript):/gi, "$1&#58;");
}
