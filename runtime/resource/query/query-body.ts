import {
  BodyReader,
  type Context,
  type Issues,
  isBody,
  type JsonObject,
  readJsonBody,
} from "../../http/index.js";
import { noteInexact } from "../../values/stored-json/inexact.js";
import { isTimezone, timezoneMessage } from "../../values/timezone/name.js";
import { type IncludeParameters, includedRange } from "./include-parameters.js";
import { type ListParameters, pageRange, perPageRange } from "./list-parameters.js";

/** The maximum size of the body of a query, in bytes. */
const maxQueryBytes = 64 * 1024;

/** Reads the body of a query. */
export async function readQuery(context: Context): Promise<JsonObject> {
  const { value, bytes } = await readJsonBody(context, maxQueryBytes);
  noteInexact(value, bytes.toString());
  return value;
}

/** Parses the body of `_query`: a list's parameters as JSON. */
export function readListBody(
  body: Readonly<Record<string, unknown>>,
  issues: Issues,
): ListParameters {
  const reader = new BodyReader(body, issues);
  const requested: ListParameters = {
    filters: [],
    where: reader.take("where"),
    q: reader.text("q"),
    search: readSearchText(reader.take("search"), issues),
    page: reader.integer("page", pageRange),
    perPage: reader.integer("perPage", perPageRange),
    cursor: reader.text("cursor"),
    sort: reader.list("sort"),
    fields: reader.list("fields"),
    include: readIncludes(reader.take("include"), issues),
    highlight: reader.list("highlight"),
    etags: reader.flag("etags") ?? false,
    position: reader.flag("position"),
  };
  const timezone = reader.text("timezone");
  if (timezone !== undefined && !isTimezone(timezone)) issues.reject("timezone", timezoneMessage);
  reader.finish();
  return requested;
}

/** Reads a search in a body; any text is valid. */
export function readSearchText(search: unknown, issues: Issues): string | undefined {
  if (search === undefined || typeof search === "string") return search;
  issues.reject("search", "Must be text");
  return undefined;
}

/** Parses `include` in a body: `{ name: true | { fields, sort, perPage, where, count, include } }` */
export function readIncludes(
  include: unknown,
  issues: Issues,
  before = "",
): readonly IncludeParameters[] | undefined {
  if (include === undefined) return undefined;
  if (!isBody(include)) {
    const within = before === "" ? "" : `, also in "${before.slice(0, -1)}"`;
    issues.reject("include", `Must be an object of names${within}`);
    return undefined;
  }
  return Object.entries(include).map(([name, options]) => {
    const path = before + name;
    if (options === true) return { name };
    if (!isBody(options)) {
      issues.reject("include", `"${path}" must be true or an object of options`);
      return { name };
    }
    const reader = new BodyReader(options, issues, (option) => `include[${path}][${option}]`);
    const requested: IncludeParameters = {
      name,
      fields: reader.list("fields"),
      sort: reader.list("sort"),
      perPage: reader.integer("perPage", { ...includedRange, default: undefined }),
      where: reader.take("where"),
      count: reader.flag("count"),
      include: readIncludes(reader.take("include"), issues, `${path}.`),
    };
    reader.finish();
    return requested;
  });
}
