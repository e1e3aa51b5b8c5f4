import { describedNames } from "../describe/resource/names.js";
import type { EmittedFile } from "../emit/file.js";
import type { Model, Resource } from "../model/model.js";
import { render } from "../text/templates.js";
import { propertyKey, stringLiteral } from "../text/typescript.js";
import { clientKey } from "./client.js";
import type { Named } from "./named.js";
import { fixedTypes } from "./types.js";

/** Its first line: a file without it is not the tool's. */
export const liveHeader =
  "// Generated from resources/ by `service generate`: the changes of records as they happen, for `client.ts`. Edit the descriptors, not this file.";

/** `live.ts`, which needs `client.ts` beside it; none in an app where no resource has `changes`. */
export function emitLive(model: Model): readonly EmittedFile[] {
  const streamed = [...describedNames(model, fixedTypes)]
    .map(([resource, names]): Named => ({ resource, names }))
    .filter(({ resource }) => resource.changes !== null);
  if (streamed.length === 0) return [];
  const text = render("generated/live.ts", {
    header: liveHeader,
    streams: streamed.map(streamLine),
    lists: streamed.flatMap(listTypes),
    relations: streamed.flatMap(({ resource }) => relationLine(resource)),
  });
  return [{ path: "generated/live.ts", text }];
}

/** `products: Streamed<"products", own.Product, OwnWhere<own.ProductWhere, "category">, own.ProductField>;` */
function streamLine({ resource, names }: Named): string {
  const relations = relationsOf(resource).map(stringLiteral).join(" | ") || "never";
  const where = `OwnWhere<own.${names.Where}, ${relations}>`;
  const types = [stringLiteral(resource.name), `own.${names.Record}`, where, `own.${names.Field}`];
  return `${clientKey(resource)}: Streamed<${types.join(", ")}>;`;
}

/** `products: /"(category)":/,`: finds conditions on other records in JSON. */
function relationLine(resource: Resource): readonly string[] {
  const relations = relationsOf(resource);
  if (relations.length === 0) return [];
  return [`${propertyKey(resource.name)}: /"(${relations.join("|")})":/,`];
}

function relationsOf({ links, inverses }: Resource): readonly string[] {
  return [...links, ...inverses].map(({ name }) => name);
}

/** What `liveList` takes of a resource, by pages and by cursors. */
function listTypes({ names }: Named): readonly string[] {
  const field = `const FieldName extends own.${names.Field} = never`;
  const include = `const IncludeOptions extends own.${names.Include} = never`;
  const row = `own.${names.Shown}<FieldName, IncludeOptions> & Mark`;
  const query = (more: string) =>
    `own.${names.List}<FieldName, IncludeOptions> & ${more}{ include?: own.Only<IncludeOptions, own.${names.Include}> }`;
  return [
    { page: "CursorPage", more: "{ cursor: string } & " },
    { page: "Page", more: "" },
  ].map(({ page, more }) =>
    [
      `export function liveList<${field}, ${include}, Mark = unknown>(`,
      `  resource: own.${names.Api}<Mark>,`,
      `  query: ${query(more)},`,
      `  show: (page: own.${page}<${row}>) => void,`,
      "  fail?: (error: unknown) => void,",
      "): () => void;",
    ].join("\n"),
  );
}
