import { columns } from "./columns.js";
import {
  brokenGroup,
  group,
  ifBroken,
  indent,
  join,
  type Layout,
  line,
  softline,
  width,
} from "./layout.js";

/** A plain value that can be written as a literal. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | readonly Literal[]
  | { readonly [key: string]: Literal };

/** Returns a string literal that is safe in any TypeScript file. */
export function stringLiteral(value: string): string {
  // Nearly all strings are plain; escaping all of them took a tenth of the emitting time.
  if (/^[\w ,.:;()/-]*$/.test(value)) return `"${value}"`;
  const escaped = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    // Linters would mistake it for a placeholder in a string that should be a template literal.
    .replaceAll("${", "\\u0024{");
  // Uses, as formatters do, the quote that needs fewer escapes.
  const double = value.split('"').length;
  const single = value.split("'").length;
  if (double <= single) return `"${escaped}"`;
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A property's key, quoted only if necessary. */
export function propertyKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) && key !== "__proto__" ? key : stringLiteral(key);
}

/** The content of a template literal, escaped so that the text neither ends it nor starts a placeholder. */
export function templateText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
}

/** A parameter's placeholder in a template literal. */
export function place(parameter: string): string {
  return `\${${parameter}}`;
}

/** The inside of a `/** … *\/` comment on one line. */
export function commentText(text: string): string {
  return text.replaceAll("*/", "*\\/").replace(/\s+/gu, " ").trim();
}

/** A doc comment, on several lines if it is too long for one. */
export function docComment(text: string, depth: number): readonly string[] {
  const content = commentText(text);
  const single = `/** ${content} */`;
  if (depth + columns(single) <= width) return [single];
  const lines: string[] = [];
  for (const word of content.split(" ")) {
    const longer = lines.length === 0 ? null : `${lines.at(-1)} ${word}`;
    if (longer !== null && depth + columns(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(` * ${word}`);
  }
  return ["/**", ...lines, " */"];
}

/** Returns a number as formatters print it: the exponent of `1e+21` has no sign there. */
function numberLiteral(value: number): string {
  return String(value).replace("e+", "e");
}

/** `(a, b) => value`; a value that does not fit starts on a separate line. */
export function arrow(parameters: string, value: Layout): Layout {
  return group(`(${parameters}) =>`, indent(line, value));
}

export function literal(value: Literal): Layout {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value === "number") return numberLiteral(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isArray(value)) {
    const items = value.map(literal);
    return isTable(value) ? tallArray(items) : array(items);
  }
  return object(Object.entries(value).map(([key, item]) => property(key, literal(item))));
}

/** Number of characters; with a shorter key, a separate line would give a string hardly any more room. */
const breakableKey = 5;

/** Returns `key: value`; a string that does not fit starts on a separate line. */
export function property(key: string, value: Layout): Layout {
  // As a plain key it would set the prototype.
  const name = key === "__proto__" ? `["${key}"]` : propertyKey(key);
  const isText = typeof value === "string" && /^["']/.test(value);
  const breaks = isText && name.length >= breakableKey;
  return breaks ? group(`${name}:`, indent(line, value)) : [`${name}: `, value];
}

/** `{ a: 1, b: 2 }` */
export function object(properties: readonly Layout[]): Layout {
  if (properties.length === 0) return "{}";
  return group("{", indent(line, join([",", line], properties)), ifBroken(","), line, "}");
}

/** An object literal with one line per property. */
export function tallObject(properties: readonly Layout[]): Layout {
  if (properties.length === 0) return "{}";
  return brokenGroup("{", indent(line, join([",", line], properties)), ifBroken(","), line, "}");
}

/** `[a, b]` */
export function array(items: readonly Layout[]): Layout {
  return items.length === 0 ? "[]" : group(...arrayParts(items));
}

/** An array literal with one line per item. */
export function tallArray(items: readonly Layout[]): Layout {
  return items.length === 0 ? "[]" : brokenGroup(...arrayParts(items));
}

function arrayParts(items: readonly Layout[]): readonly Layout[] {
  return ["[", indent(softline, join([",", line], items)), ifBroken(","), softline, "]"];
}

/** `name(a, b)`; a single object or array hugs the parentheses. */
export function call(name: string, args: readonly Layout[]): Layout {
  const [only] = args;
  if (args.length === 0) return `${name}()`;
  if (args.length === 1 && only !== undefined && typeof only !== "string") {
    return [name, "(", only, ")"];
  }
  return group(`${name}(`, indent(softline, join([",", line], args)), ifBroken(","), softline, ")");
}

/** `name: "a" | "b" | null;` as a member of an interface; `mark` is `?` or empty. */
export function member(name: string, types: readonly Layout[], mark = ""): Layout {
  const [only = "never"] = types;
  const key = propertyKey(name) + mark;
  if (types.length < 2) return [`${key}: `, only, ";"];
  const union = indent(line, ifBroken("| "), join([line, "| "], types));
  return group(`${key}:`, union, ";");
}

/** `Name<A, B>`; if a union in it breaks, each of its types starts with `|`. */
export function generic(name: string, types: readonly Layout[]): Layout {
  return group(`${name}<`, indent(softline, join([",", line], types)), softline, ">");
}

/** `"a" | "b"` between the brackets of a generic. */
export function union(types: readonly Layout[]): Layout {
  return types.length < 2 ? types : group(ifBroken("| "), join([line, "| "], types));
}

/** `{ a: A; b: B }` */
export function typeLiteral(members: readonly Layout[]): Layout {
  return group("{", indent(line, join([";", line], members)), ifBroken(";"), line, "}");
}

/** Whether formatters always break the array: it contains several objects or arrays with several items each. */
function isTable(values: readonly Literal[]): boolean {
  return (
    values.length > 1 &&
    values.every(
      (value) => typeof value === "object" && value !== null && Object.keys(value).length > 1,
    )
  );
}

function isArray(value: Literal): value is readonly Literal[] {
  return Array.isArray(value);
}
