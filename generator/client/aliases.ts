import { kindOf } from "../kind/kinds.js";
import { columns } from "../text/columns.js";
import { width } from "../text/layout.js";
import { docComment } from "../text/typescript.js";
import type { Named } from "./named.js";

/** The resource's aliases of the types that the runtime derives. */
export function aliases({ resource, names }: Named): readonly string[] {
  const { Types } = names;
  const of = (part: Alias, parameters: readonly string[] = [], more: readonly string[] = []) =>
    aliasLine(names[part], parameters, { name: `client.${part}Of`, types: [Types, ...more] });
  const query = [`FieldName = ${names.Field}`, `IncludeOptions = ${names.Include}`];
  const grouping = [`By = ${names.Group}`, `IncludeOptions = client.GroupIncludeOf<${Types}>`];
  const methods = `The methods of \`api.${resource.collection}\`, with \`api\` from \`createClient\`: \`list\`, \`get\`, \`create\`, \`update\` (PATCH), \`replace\` (PUT), \`delete\` and others.`;
  return [
    ...docComment(methods, 0),
    of("Api", ["Mark = unknown"], ["Mark"]),
    "",
    ...(resource.fields.some((field) => kindOf(field).isLong) ? [of("Brief")] : []),
    of("Replace"),
    of("Update"),
    of("Field"),
    of("Sort"),
    of("Include"),
    of("Shown", ["FieldName", `IncludeOptions extends ${names.Include}`], shown),
    of("List", query, shown),
    of("Get", query, shown),
    of("Stats"),
    of("GroupField"),
    of("Group"),
    of("Aggregate", grouping, ["By", "IncludeOptions"]),
    of("Batch"),
  ];
}

const shown = ["FieldName", "IncludeOptions"];

type Alias = Exclude<keyof Named["names"], "Record" | "Types" | "Create" | "Where">;

interface Value {
  readonly name: string;
  readonly types: readonly string[];
}

/** `export type ProductSort = client.SortOf<ProductTypes>;`, with line breaks after `=` or inside `<>` if needed. */
function aliasLine(name: string, parameters: readonly string[], value: Value): string {
  const list = parameters.length === 0 ? "" : `<${parameters.join(", ")}>`;
  const left = `export type ${name}${list} =`;
  const right = `${value.name}<${value.types.join(", ")}>;`;
  if (fits(`${left} ${right}`)) return `${left} ${right}`;
  if (parameters.length === 0) return `${left}\n  ${right}`;
  if (fits(`${left} ${value.name}<`)) return `${left} ${value.name}<${broken(value.types, "")}>;`;
  const end = fits(`> = ${right}`) ? right : `${value.name}<${broken(value.types, "")}>;`;
  return `export type ${name}<${broken(parameters, ",")}> = ${end}`;
}

/** Items on separate lines; parameters, unlike arguments, have a trailing comma. */
function broken(items: readonly string[], end: "" | ","): string {
  return `\n${items.map((item) => `  ${item}`).join(",\n")}${end}\n`;
}

function fits(text: string): boolean {
  return columns(text) <= width;
}
