import { quotedText, type Style } from "../text/style.js";
import type { OwnFunction, ParameterType } from "./signature.js";

/** What the types of parameters are called in the file. */
export type TypeNames = Readonly<Record<ParameterType, string>>;

/** Columns, beyond which parameters get a line each. */
const width = 100;

/** A function that leaves everything as it is, in lines without indentation, its parameters with types where these are given. */
export function functionLines(
  { name, signature }: Pick<OwnFunction, "name" | "signature">,
  types: TypeNames | null,
  { indent, semicolon, lastComma }: Style,
): readonly string[] {
  const { parameters, body } = signature;
  const written = parameters.map(([parameter, type]) =>
    types === null ? parameter : `${parameter}: ${types[type]}`,
  );
  const head = `${name}(${written.join(", ")}) {`;
  const isLong = types !== null && head.length + 4 * indent.length > width;
  const opening = isLong ? [`${name}(`, ...listed(written, indent, lastComma), ") {"] : [head];
  const lines = body.map((line) => indent + line + (line.startsWith("//") ? "" : semicolon));
  return [...opening, ...lines, "}"];
}

/** The lines below one key after the other: `hooks: {`, `products: {`. */
export function nested(
  keys: readonly string[],
  lines: readonly string[],
  style: Style,
): readonly string[] {
  const { indent, lastComma } = style;
  return keys.reduceRight<readonly string[]>((inner, key) => {
    const within = inner.map((line) => indent + line);
    const last = within.at(-1) ?? "";
    return [`${keyText(key, style)}: {`, ...within.slice(0, -1), last + lastComma, "}"];
  }, lines);
}

function listed(items: readonly string[], indent: string, lastComma: string): readonly string[] {
  return items.map((item, at) => indent + item + (at < items.length - 1 ? "," : lastComma));
}

function keyText(key: string, style: Style): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedText(key, style);
}
