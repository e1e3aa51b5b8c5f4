import { columns } from "./columns.js";

/**
 * Text that breaks where it must: what fits stays on its line, what does not is broken from the
 * outside in (after Wadler, "A prettier printer"). The emitted files leave the tool formatted.
 */
export type Layout =
  | string
  | readonly Layout[]
  | { readonly kind: "line" | "softline" | "hardline" }
  | { readonly kind: "indent"; readonly content: Layout }
  | { readonly kind: "group"; readonly content: Layout; readonly broken: boolean }
  | { readonly kind: "ifBroken"; readonly content: string };

/** Columns of an emitted file. */
export const width = 100;
const step = 2;

/** A space, or a line break in a broken group. */
export const line: Layout = { kind: "line" };
/** Nothing, or a line break in a broken group. */
export const softline: Layout = { kind: "softline" };
/** Always a line break; breaks every group around it. */
export const hardline: Layout = { kind: "hardline" };

export function indent(...content: readonly Layout[]): Layout {
  return { kind: "indent", content };
}

/** Flat if it fits, else broken at its own lines. */
export function group(...content: readonly Layout[]): Layout {
  return { kind: "group", content, broken: hasHardline(content) };
}

/** A group that is broken whether or not it would fit. */
export function brokenGroup(...content: readonly Layout[]): Layout {
  return { kind: "group", content, broken: true };
}

/** Text that stands only in a broken group, such as a trailing comma. */
export function ifBroken(content: string): Layout {
  return { kind: "ifBroken", content };
}

export function join(separator: Layout, items: readonly Layout[]): Layout {
  return items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]));
}

function hasHardline(layout: Layout): boolean {
  if (typeof layout === "string") return false;
  if (isList(layout)) return layout.some(hasHardline);
  if (layout.kind === "hardline") return true;
  if (layout.kind === "group" && layout.broken) return true;
  return "content" in layout && layout.kind !== "ifBroken" && hasHardline(layout.content);
}

interface Item {
  readonly layout: Layout;
  readonly indent: number;
  readonly broken: boolean;
}

/** Prints at an indentation (columns); `reserved` columns must stay free after the last line. */
export function print(
  layout: Layout,
  start: { readonly indent: number; readonly reserved?: number },
): string {
  const stack: Item[] = [{ layout, indent: start.indent, broken: true }];
  const rest = start.reserved ?? 0;
  let text = "";
  let column = start.indent;
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { layout: current, indent: depth, broken } = item;
    if (typeof current === "string") {
      text += current;
      column += columns(current);
    } else if (isList(current)) {
      for (const part of current.toReversed()) stack.push({ ...item, layout: part });
    } else if (current.kind === "indent") {
      stack.push({ layout: current.content, indent: depth + step, broken });
    } else if (current.kind === "group") {
      const flat = { layout: current.content, indent: depth, broken: false };
      const fitting = !current.broken && fits(flat, stack, width - column, rest);
      stack.push({ ...flat, broken: !fitting });
    } else if (current.kind === "ifBroken") {
      if (broken) stack.push({ ...item, layout: current.content });
    } else if (broken || current.kind === "hardline") {
      text += `\n${" ".repeat(depth)}`;
      column = depth;
    } else if (current.kind === "line") {
      text += " ";
      column += 1;
    }
  }
  return text;
}

/**
 * Whether an item, and what follows it up to the next possible break, fits the remaining columns;
 * where no break follows, the reserved columns must stay free as well.
 */
function fits(
  first: Item,
  following: readonly Item[],
  remaining: number,
  reserved: number,
): boolean {
  const stack: Item[] = [first];
  let left = remaining;
  let next = following.length;
  while (left >= 0) {
    const item = stack.pop() ?? following[--next];
    if (item === undefined) return left >= reserved;
    const { layout, broken } = item;
    if (typeof layout === "string") {
      left -= columns(layout);
    } else if (isList(layout)) {
      for (const part of layout.toReversed()) stack.push({ ...item, layout: part });
    } else if (layout.kind === "indent" || layout.kind === "group") {
      const flat = layout.kind === "group" ? layout.broken && broken : broken;
      stack.push({ ...item, layout: layout.content, broken: flat });
    } else if (layout.kind === "ifBroken") {
      if (broken) left -= layout.content.length;
    } else {
      if (broken || layout.kind === "hardline") return true;
      left -= layout.kind === "line" ? 1 : 0;
    }
  }
  return false;
}

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}
