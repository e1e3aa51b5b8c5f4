/** A text with a selection, as offsets in UTF-16 units; both are equal for a caret. */
export interface Selected {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A change to a text: what replaces the part from `from` to `to`, and what is selected afterwards. */
export interface Edit extends Omit<Selected, "text"> {
  readonly insert: string;
  /** Offsets in the new text. */
  readonly selection: readonly [from: number, to: number];
}

export type Mark = "bold" | "italic" | "heading" | "link" | "list" | "quote" | "code";

/** The marks in the order of the toolbar. */
export const marks: readonly Mark[] = [
  "bold",
  "italic",
  "heading",
  "link",
  "list",
  "quote",
  "code",
];

const around: Partial<Record<Mark, string>> = { bold: "**", italic: "_" };
const before: Partial<Record<Mark, string>> = { heading: "## ", list: "- ", quote: "> " };

/** Sets a mark on the selection, or removes one that is already set. */
export function marked(selected: Selected, mark: Mark): Edit {
  const sign = around[mark];
  if (sign !== undefined) return enclosed(selected, sign);
  const start = before[mark];
  if (start !== undefined) return begun(selected, start);
  return mark === "link" ? linked(selected) : coded(selected);
}

function enclosed({ text, from, to }: Selected, sign: string): Edit {
  const { length } = sign;
  const inner = text.slice(from, to);
  const isAround =
    text.slice(0, from).endsWith(sign) &&
    text.startsWith(sign, to) &&
    // A single `*` of a `**` is not a mark.
    (length > 1 || text[from - 2] !== sign);
  if (isAround) {
    const start = from - length;
    return {
      from: start,
      to: to + length,
      insert: inner,
      selection: [start, start + inner.length],
    };
  }
  // Markdown ignores a mark next to a space, so spaces at the ends of the selection stay outside.
  const kept = inner.trim() || inner;
  const start = from + inner.indexOf(kept);
  return {
    from: start,
    to: start + kept.length,
    insert: `${sign}${kept}${sign}`,
    selection: [start + length, start + length + kept.length],
  };
}

/** Puts the sign before each selected line, or removes it if all have it. */
function begun({ text, from, to }: Selected, sign: string): Edit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const next = text.indexOf("\n", to);
  const end = next === -1 ? text.length : next;
  const lines = text.slice(start, end).split("\n");
  const isSet = lines.every((line) => line.startsWith(sign));
  const insert = lines
    .map((line) => {
      if (isSet) return line.slice(sign.length);
      return line.startsWith(sign) ? line : `${sign}${line}`;
    })
    .join("\n");
  const last = start + insert.length;
  return {
    from: start,
    to: end,
    insert,
    selection: from === to ? [last, last] : [start, last],
  };
}

const placeholder = "https://";

function linked({ text, from, to }: Selected): Edit {
  const inner = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(inner)) {
    return { from, to, insert: `[](${inner})`, selection: [from + 1, from + 1] };
  }
  const insert = `[${inner}](${placeholder})`;
  const start = from + inner.length + 3;
  return inner === ""
    ? { from, to, insert, selection: [from + 1, from + 1] }
    : { from, to, insert, selection: [start, start + placeholder.length] };
}

function coded(selected: Selected): Edit {
  const { text, from, to } = selected;
  const inner = text.slice(from, to);
  if (!inner.includes("\n")) return enclosed(selected, "`");
  const start = from === 0 || text[from - 1] === "\n" ? "" : "\n";
  const end = to === text.length || text[to] === "\n" ? "" : "\n";
  const open = `${start}\`\`\`\n`;
  return {
    from,
    to,
    insert: `${open}${inner}\n\`\`\`${end}`,
    selection: [from + open.length, from + open.length + inner.length],
  };
}
