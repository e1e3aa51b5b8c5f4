/** Examines the beginning of a text in chunks until it is clear whether it is markup. */
export interface MarkupWatch {
  /** True as soon as the text begins like HTML, SVG or XML. */
  sees(piece: string): boolean;
  /** True at the end of the text if it was markup; an unclosed comment counts as markup. */
  seesAtEnd(): boolean;
  /** The state, from which another watch can continue. */
  state(): MarkupState;
}

/** The undecided text, at most a few hundred characters, and the verdict. */
export interface MarkupState {
  readonly held: string;
  readonly verdict: boolean | null;
}

/**
 * Text begins like markup if a tag, declaration or instruction comes before any other word. Whitespace (Unicode's, and
 * invisible characters such as a byte order mark) and comments are skipped. Every tag name counts, not only those that
 * browsers sniff for: XML may use any name, and plain text rarely begins with a tag.
 */
export function newMarkupWatch(from: MarkupState = { held: "", verdict: null }): MarkupWatch {
  let { held, verdict } = from;
  return {
    sees(piece) {
      if (verdict === null) {
        held = withoutLead(held + piece);
        verdict = verdictOf(held);
      }
      return verdict ?? false;
    },
    seesAtEnd: () => verdict ?? held.startsWith(comment),
    state: () => ({ held: verdict === null ? held : "", verdict }),
  };
}

const whitespace = /^[\s\p{Cf}\p{Z}]+/u;
const comment = "<!--";

/**
 * Removes leading whitespace and closed comments. Of an open comment only the last characters are kept, which may begin
 * its end, so that a comment of any length takes no memory.
 */
function withoutLead(text: string): string {
  let left = text.replace(whitespace, "");
  while (left.startsWith(comment) && !closedAtOnce.test(left)) {
    const inside = left.slice(comment.length);
    const end = /--!?>/.exec(inside);
    if (end === null) return `${comment} ${inside.slice(-3)}`;
    if (end[0] === "--!>") return left;
    left = inside.slice(end.index + end[0].length).replace(whitespace, "");
  }
  return left;
}

/** `<!-->` is a complete comment in HTML and the beginning of one in XML; `<!--` may become that. */
const closedAtOnce = /^<!--(?:-?>|-?$)/;

/** Whether the text is markup; null if it depends on further characters. */
function verdictOf(text: string): boolean | null {
  if (text.startsWith(comment)) return endsTwice.test(text) ? true : null;
  if (comment.startsWith(text)) return null;
  const start = text.slice(0, longestName);
  if (/^<[!?]/.test(start) || tag.test(start)) return true;
  if (!openTag.test(start)) return false;
  return start.length < longestName ? null : true;
}

/** A comment that ends at different positions in HTML and XML. */
const endsTwice = /^<!--(?:-?>|.*?--!>)/s;

/** Number of characters after which an unfinished tag name counts as a tag. */
const longestName = 256;
/** A tag. A name that ends with a colon is a URL: `<https://example.com>`. */
const tag = /^<\/?[\p{L}_:][\p{L}\p{N}\p{M}_:.-]*(?<!:)[\s/>]/u;
const openTag = /^<\/?(?:[\p{L}_:][\p{L}\p{N}\p{M}_:.-]*)?$/u;
