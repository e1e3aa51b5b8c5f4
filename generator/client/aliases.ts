import { listWords } from "../../runtime/values/text.js";
import { isFile, kindOf } from "../kind/kinds.js";
import { columns } from "../text/columns.js";
import { width } from "../text/layout.js";
import type { Named } from "./named.js";

/** Returns the resource's aliases of types that the runtime derives. */
export function aliases(named: Named): readonly string[] {
  const { resource, names } = named;
  const { Types } = names;
  const of = (part: Alias, parameters: readonly string[] = [], more: readonly string[] = []) =>
    aliasLine(names[part], parameters, { name: `client.${part}Of`, types: [Types, ...more] });
  const query = [`FieldName = ${names.Field}`, `IncludeOptions = ${names.Include}`];
  const grouping = [`By = ${names.Group}`, `IncludeOptions = client.GroupIncludeOf<${Types}>`];
  return [
    ...methodsComment(named),
    of("Api", ["Mark = unknown"], ["Mark"]),
    "",
    "// The types of the parameters and results above, to name them in other files.",
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

/** Returns a comment that lists the resource's methods, because the runtime contains only generic types. */
function methodsComment({ resource, names, key }: Named): readonly string[] {
  const record = `Promise<${names.Record}>`;
  const others = [
    "query",
    "all",
    "stats",
    "aggregate",
    ...(resource.trash === null ? [] : ["restore"]),
    ...(resource.fields.some(isFile) ? ["upload"] : []),
  ];
  return [
    "/**",
    ` * The methods of \`api.${key}\`, where \`api\` is what \`createClient\` returns:`,
    " *",
    ` * - \`list(query?, options?): Promise<Page<${names.Record}>>\``,
    ` * - \`get(id, query?, options?): ${record}\``,
    ` * - POST: \`create(values: ${names.Create}, options?): ${record}\``,
    ` * - PATCH: \`update(id, changes: ${names.Update}, options?): ${record}\``,
    ` * - PUT: \`replace(id, values: ${names.Replace}, options?): ${record}\``,
    " * - `delete(id, options?): Promise<void>`",
    ` * - ${listWords(others.map((name) => `\`${name}\``))}`,
    " *",
    " * A refusal throws `ApiError`. Options are `signal`, `timeout`, and for writes `idempotencyKey` and",
    " * `ifMatch`.",
    " */",
  ];
}

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

/** Formats items on separate lines; parameters, unlike arguments, have a trailing comma. */
function broken(items: readonly string[], end: "" | ","): string {
  return `\n${items.map((item) => `  ${item}`).join(",\n")}${end}\n`;
}

function fits(text: string): boolean {
  return columns(text) <= width;
}
