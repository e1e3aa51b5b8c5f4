import { columns } from "./columns.js";

/**
 * Text with optional line breaks: content that fits stays on its line, the rest is broken from the outside in (after
 * Wadler, "A prettier printer").
 *
 * External formatters are not used, because equal descriptors must produce equal bytes, and a formatter's next release
 * would change the files of every app. Layout takes 3% of the time of `generate`.
 */
export type Layout =
  | string
  | readonly Layout[]
  | { readonly kind: "line" | "softline" }
  | { readonly kind: "indent"; readonly content: Layout }
  | Group
  | { readonly kind: "ifBroken"; readonly content: string };

interface Group {
  readonly kind: "group";
  readonly content: Layout;
  /** The content on one line; null for a group that is always broken. */
  readonly flat: string | null;
}

/** Maximum number of columns in an emitted file. */
export const width = 100;
const step = 2;

/** A space, or a line break in a broken group. */
export const line: Layout = { kind: "line" };
/** Nothing, or a line break in a broken group. */
export const softline: Layout = { kind: "softline" };

export function indent(...content: readonly Layout[]): Layout {
  return { kind: "indent", content };
}

/** Returns content that is flat if it fits, or else broken at its own lines. */
export function group(...content: readonly Layout[]): Layout {
  return { kind: "group", content, flat: flatOf(content) };
}

/** A group that is broken even if it would fit. */
export function brokenGroup(...content: readonly Layout[]): Layout {
  return { kind: "group", content, flat: null };
}

/** Text that appears only in a broken group, such as a trailing comma. */
export function ifBroken(content: string): Layout {
  return { kind: "ifBroken", content };
}

export function join(separator: Layout, items: readonly Layout[]): Layout {
  const joined: Layout[] = [];
  for (const item of items) {
    if (joined.length > 0) joined.push(separator);
    joined.push(item);
  }
  return joined;
}

/** A layout on one line; null if something in it always breaks. */
function flatOf(layout: Layout): string | null {
  if (typeof layout === "string") return layout;
  if (isList(layout)) {
    let text = "";
    for (const part of layout) {
      const flat = flatOf(part);
      if (flat === null) return null;
      text += flat;
    }
    return text;
  }
  switch (layout.kind) {
    case "line":
      return " ";
    case "softline":
    case "ifBroken":
      return "";
    case "indent":
      return flatOf(layout.content);
    case "group":
      return layout.flat;
    default:
      return layout satisfies never;
  }
}

interface Item {
  readonly layout: Layout;
  readonly indent: number;
}

/** Prints at an indentation in columns, and leaves `reserved` columns free after the last line. */
export function print(
  layout: Layout,
  start: { readonly indent: number; readonly reserved?: number },
): string {
  const stack: Item[] = [{ layout, indent: start.indent }];
  const rest = start.reserved ?? 0;
  let text = "";
  let column = start.indent;
  // Content that fits is printed flat: everything split here belongs to a broken group.
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { layout: current, indent: depth } = item;
    if (typeof current === "string") {
      text += current;
      column += columns(current);
    } else if (isList(current)) {
      for (const part of current.toReversed()) stack.push({ layout: part, indent: depth });
    } else if (current.kind === "group") {
      const { flat, content } = current;
      const fitting = flat !== null && fits(flat, stack, { remaining: width - column, rest });
      stack.push({ layout: fitting ? flat : content, indent: depth });
    } else if (current.kind === "indent") {
      stack.push({ layout: current.content, indent: depth + step });
    } else if (current.kind === "ifBroken") {
      stack.push({ layout: current.content, indent: depth });
    } else {
      text += `\n${" ".repeat(depth)}`;
      column = depth;
    }
  }
  return text;
}

/**
 * Whether text up to the next possible break fits in the remaining columns; without such a break, the reserved columns
 * must stay free too.
 */
function fits(
  flat: string,
  following: readonly Item[],
  { remaining, rest }: { readonly remaining: number; readonly rest: number },
): boolean {
  const stack: Layout[] = [flat];
  let left = remaining;
  let next = following.length;
  while (left >= 0) {
    const layout = stack.pop() ?? following[--next]?.layout;
    if (layout === undefined) return left >= rest;
    if (typeof layout === "string") {
      left -= columns(layout);
    } else if (isList(layout)) {
      stack.push(...layout.toReversed());
    } else if (layout.kind === "group") {
      stack.push(layout.flat ?? layout.content);
    } else if (layout.kind === "indent" || layout.kind === "ifBroken") {
      stack.push(layout.content);
    } else {
      return true;
    }
  }
  return false;
}

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}
