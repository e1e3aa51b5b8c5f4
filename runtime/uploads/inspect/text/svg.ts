/** The media type of SVG. Only picture fields accept it, and store a rendering. */
export const svgType = "image/svg+xml";

/**
 * Whether a text is SVG by its root element, which may follow a byte order mark, whitespace, comments, instructions and
 * a document type.
 */
export function isSvg(opening: string): boolean {
  let left = opening.replace(/^\uFEFF/, "").trimStart();
  for (let length = prologLength(left); length > 0; length = prologLength(left)) {
    left = left.slice(length).trimStart();
  }
  return /^<(?:[\w.-]+:)?svg[\s/>]/.test(left);
}

/** The length of the item at the start of the text before the root element; 0 if there is none. */
function prologLength(text: string): number {
  if (text.startsWith("<?")) return endOf(text, "?>");
  if (text.startsWith("<!--")) return endOf(text, "-->");
  if (!text.startsWith("<!DOCTYPE")) return 0;
  const end = endOf(text, ">");
  const subset = text.indexOf("[");
  if (subset === -1 || subset > end) return end;
  const [closing] = /\]\s*>/.exec(text) ?? [];
  return closing === undefined ? text.length : endOf(text, closing);
}

function endOf(text: string, mark: string): number {
  const at = text.indexOf(mark);
  return at === -1 ? text.length : at + mark.length;
}
