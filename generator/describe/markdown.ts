/** Escapes a descriptor's text for Markdown, so that it is never rendered as HTML or as a link to a script. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, "&lt;").replaceAll(/(javascript):/gi, "$1&#58;");
}
