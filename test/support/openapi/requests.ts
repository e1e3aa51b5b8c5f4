import type { Json } from "../http/client.js";
import type { DocumentOperation, ParsedDocument } from "./document.js";
import { flat, makeValue, type Schema, type ValueMaker } from "./values.js";

/** One request of an operation. */
export interface MadeRequest {
  readonly operation: DocumentOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the bytes of a file, or undefined without a body. */
  readonly body: Json | Buffer | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
  /** Whether the value is JSON in the address. */
  readonly isJson: boolean;
}

export function parametersOf(
  document: ParsedDocument,
  { value: { parameters = [] } }: DocumentOperation,
): readonly Parameter[] {
  return parameters.map((written) => {
    const { content, schema, ...own } = flat(document, written);
    const json = (content as Record<string, Schema> | undefined)?.["application/json"];
    return { ...own, schema: json?.schema ?? schema, isJson: json !== undefined } as Parameter;
  });
}

/** The schema of the body; null for a file, undefined without one. */
export function bodySchema(
  document: ParsedDocument,
  { value: { requestBody } }: DocumentOperation,
): Schema | null | undefined {
  if (requestBody === undefined) return undefined;
  const { content } = flat(document, requestBody);
  return (content as Record<string, { schema: Schema }>)["application/json"]?.schema ?? null;
}

/** A valid request of the operation, with some of its optional parameters. */
export function validRequest(
  maker: ValueMaker,
  operation: DocumentOperation,
  files: readonly Buffer[],
): MadeRequest {
  const { document, random } = maker;
  const all = parametersOf(document, operation);
  const share = random.pick([0.1, 0.3]);
  const sent = all.filter(({ required }) => required === true || random.chance(share));
  const valuesIn = (place: Parameter["in"]) =>
    Object.fromEntries(
      sent
        .filter((each) => each.in === place)
        .map((each) => [each.name, written(each, makeValue(maker, each.schema, nameOf(each)))]),
    );
  const schema = bodySchema(document, operation);
  return settled(operation, {
    operation,
    path: valuesIn("path"),
    query: valuesIn("query"),
    headers: valuesIn("header"),
    body:
      schema === undefined
        ? undefined
        : schema === null
          ? random.pick(files)
          : makeValue(maker, schema, ""),
  });
}

/** `filter[categoryId]` and `include[items][sort]` have the values of the names in them. */
function nameOf({ name }: Parameter): string {
  return name.replace(/^filter\[(.*)\]$|^include\[.*\]\[(.*)\]$/s, "$1$2");
}

/** Value of a parameter as written in an address or a header. */
function written({ isJson, in: place }: Parameter, value: Json): string {
  if (isJson) return JSON.stringify(value);
  const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
  return place === "header" ? text.replace(/[^ -~]/g, "?") : text;
}

/** Rules in the document's prose: which parameters can be combined. */
function settled({ id }: DocumentOperation, request: MadeRequest): MadeRequest {
  // The pattern says how paths are written; which there are, the bodies of queries say.
  const included = new Set(request.query.include?.split(",").map((path) => path.split(".")[0]));
  const query = Object.entries(request.query)
    .filter(([name]) => {
      const of = /^include\[(.*)\]\[/s.exec(name)?.[1];
      return of === undefined || included.has(of);
    })
    .filter(([name]) => name !== "page" || request.query.cursor === undefined)
    .map(([name, value]) => [name, fixed(id, name, value)] as const);
  if (id.startsWith("aggregate"))
    return withoutRecords({ ...request, query: Object.fromEntries(query) });
  const { body } = request;
  if (typeof body !== "object" || body === null || Buffer.isBuffer(body) || !("cursor" in body)) {
    return { ...request, query: Object.fromEntries(query) };
  }
  const { page: _, ...rest } = body as { page?: Json };
  return { ...request, query: Object.fromEntries(query), body: { ...rest, cursor: "" } };
}

/** Groups show the records of links that they are grouped by, which tests of their own ask for. */
function withoutRecords(request: MadeRequest): MadeRequest {
  const query = Object.entries(request.query).filter(([name]) => !name.startsWith("include"));
  const { include: _, ...body } = (request.body ?? {}) as { include?: Json };
  return {
    ...request,
    query: Object.fromEntries(query),
    body: request.body === undefined ? undefined : fixedSort(body as { [name: string]: Json }),
  };
}

function fixedSort(body: { readonly [name: string]: Json }): Json {
  const { sort, timezone, ...rest } = body;
  return {
    ...rest,
    ...(sort !== undefined && { sort: "-count" }),
    ...(timezone !== undefined && { timezone: "UTC" }),
  };
}

function fixed(operation: string, name: string, value: string): string {
  if (name === "cursor") return "";
  if (name === "include") {
    return [...new Set(value.split(",").map((path) => path.split(".")[0]))].join(",");
  }
  if (name === "timezone") return value.length % 2 === 0 ? "Europe/Berlin" : "UTC";
  if (name === "sort" && operation.startsWith("aggregate")) return "-count";
  return value;
}

/** Below `/api`. */
export function addressOf({ operation, path, query }: MadeRequest): string {
  const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] || "none"),
  );
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}
