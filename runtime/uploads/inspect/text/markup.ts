/** Examines the beginning of a text, chunk by chunk, until it is clear whether it is markup. */
export interface MarkupWatch {
  /** True as soon as the text begins like HTML, SVG or XML. */
  sees(piece: string): boolean;
  /** True at the end of the text if it was markup; an unclosed comment then counts as markup. */
  seesAtEnd(): boolean;
  /** The state, for another watch to continue. */
  state(): MarkupState;
}

/** The undecided text, at most some hundred characters, and the verdict. */
export interface MarkupState {
  readonly held: string;
  readonly verdict: boolean | null;
}

/**
 * A text begins like markup if a tag, declaration or instruction comes before any other word; whitespace (Unicode's,
 * and invisible characters such as a byte order mark) and comments do not count. Every tag name counts, not only those
 * that browsers look for in files without a type: XML may use any name, and plain text rarely begins with a tag.
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
 * Removes whitespace and closed comments from the front. Only the last characters of an open comment are kept, since
 * they may begin its end; a comment of any length takes no memory.
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

/** `<!-->` is a whole comment for HTML and the beginning of one for XML; `<!--` may become that. */
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

/** A comment that HTML and XML end at different places. */
const endsTwice = /^<!--(?:-?>|.*?--!>)/s;

/** Characters after which an unfinished tag name counts as a tag. */
const longestName = 256;
/** A name that ends in a colon is an address: `<https://example.com>`. */
const tag = /^<\/?[\p{L}_:][\p{L}\p{N}\p{M}_:.-]*(?<!:)[\s/>]/u;
const openTag = /^<\/?(?:[\p{L}_:][\p{L}\p{N}\p{M}_:.-]*)?$/u;
