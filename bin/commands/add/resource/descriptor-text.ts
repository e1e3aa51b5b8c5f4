import { Document } from "yaml";
import type { WrittenField } from "./field-argument.js";

const schema = "../node_modules/service-cli/templates/schemas/resource.schema.json";

/** The lines before the fields; each field has its own line. */
const opening = [`# yaml-language-server: $schema=${schema}`, "fields:"];

/** A descriptor with these fields, formatted as if handwritten. */
export function descriptorText(fields: readonly WrittenField[]): string {
  if (fields.length === 0) return `${opening[0]}\nfields: {}\n`;
  const lines = fields.map(({ name, options }) => {
    const pairs = Object.entries(options).map(([key, value]) => `${key}: ${inFlow(value)}`);
    return `  ${inFlow(name)}: { ${pairs.join(", ")} }`;
  });
  return `${[...opening, ...lines].join("\n")}\n`;
}

/** Returns the index of the field on that line; null for any other line. */
export function fieldOfLine(line: number): number | null {
  return line > opening.length ? line - opening.length - 1 : null;
}

/** Formats a value inside braces or brackets on one line, where more characters need quotes. */
function inFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inFlow).join(", ")}]`;
  // A JSON string is valid YAML and stays on one line, so the line of a problem identifies the argument.
  if (typeof value === "string" && /[\p{C}\u2028\u2029]/u.test(value)) return JSON.stringify(value);
  const list = new Document([value]).toString({
    collectionStyle: "flow",
    flowCollectionPadding: false,
    lineWidth: 0,
  });
  return list.trim().slice(1, -1);
}
