import { idSchema } from "../../kind/column/id-text.js";
import type { Schema } from "../../kind/kind.js";
import { isFiltered, isNullable, valueSchema } from "../../kind/kinds.js";
import { type Resource, severalOf } from "../../model/model.js";
import { isHighlighted } from "../../model/searched.js";
import { knownTimes } from "../../model/times.js";
import { personFields, wanted } from "../accounts/person.js";
import { boolean, nullable, objectSchema, schemaRef, string, timestamp } from "../operation.js";
import type { DescribedNames } from "./names.js";

/** The value `"a", W/"b"`, or `*`. */
export const tagList: Schema = {
  type: "string",
  pattern: '^(?:\\*|(?:W/)?"[!#-~]*"(?:, ?(?:W/)?"[!#-~]*")*)$',
};

const cursorText = "Empty for the first page, then the `next` of the previous page.";

/** The `components.parameters` that all resources share. */
const sharedParameters: Readonly<Record<string, Schema>> = {
  Id: { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } },
  Page: query("page", { type: "integer", minimum: 1, default: 1 }),
  PerPage: query("perPage", { type: "integer", minimum: 1, maximum: 100, default: 25 }),
  GroupsPerPage: query("perPage", { type: "integer", minimum: 1, maximum: 1000, default: 100 }),
  Cursor: query("cursor", string, cursorText),
  Etags: query(
    "etags",
    { type: "string", enum: ["true", "false"] },
    "Whether the response includes the ETags of the records.",
  ),
  IfMatch: header("If-Match", "ETags of which the record must have one; `*`: any.", tagList),
  IfNoneMatch: header("If-None-Match", "ETags of the versions that the client has.", tagList),
  Key: header("Idempotency-Key", "Repeated requests with the same key are executed only once.", {
    type: "string",
    pattern: "^[!-~]{1,255}$",
  }),
  Q: query(
    "q",
    { type: "string", maxLength: 200 },
    "Text that any string field must contain, ignoring case and accents.",
  ),
  Search: query(
    "search",
    { type: "string", maxLength: 200 },
    'Words to find in any form, best matches first: `"exact phrase"`, `or` between words, `-not`.',
  ),
  Days: query("days", { type: "integer", minimum: 1, maximum: 365, default: 7 }),
  Series: query(
    "series",
    { type: "string", enum: ["day", "week", "month"] },
    "Counts for each calendar day, week or month.",
  ),
  Timezone: query("timezone", { type: "string", default: "UTC" }, "An IANA time zone name."),
};

/** Returns the parameters that the document of these resources refers to, `search` only if one of them supports it. */
export function sharedParametersOf(resources: readonly Resource[]): typeof sharedParameters {
  if (resources.some(({ search }) => search !== null)) return sharedParameters;
  return Object.fromEntries(Object.entries(sharedParameters).filter(([name]) => name !== "Search"));
}

export function parameterRef(name: keyof typeof sharedParameters): Schema {
  return { $ref: `#/components/parameters/${name}` };
}

export function query(name: string, schema: Schema, description?: string): Schema {
  return { name, in: "query", ...(description === undefined ? {} : { description }), schema };
}

function header(name: string, description: string, schema: Schema = string): Schema {
  return { name, in: "header", description, schema };
}

export function namesParameter(name: string, schema: Schema): Schema {
  return { name, in: "query", explode: false, schema };
}

/** Returns the property for full-text search in a request body. */
export function searchMember({ search }: Resource): Record<string, Schema> {
  return search === null ? {} : { search: { type: "string", maxLength: 200 } };
}

/** Returns the property that lists the fields in which matches are highlighted. */
export function highlightMember(resource: Resource): Record<string, Schema> {
  const shown = resource.fields.filter((field) => isHighlighted(resource, field));
  if (shown.length === 0) return {};
  const items: Schema = { type: "string", enum: shown.map(({ name }) => name) };
  return { highlight: { type: "array", items } };
}

export function highlightParameters(resource: Resource): readonly Schema[] {
  return Object.entries(highlightMember(resource)).map((member) => namesParameter(...member));
}

/** The parameters `filter[field]`, `where`, `q` and `search`: conditions of lists, stats and aggregations. */
export function conditionParameters(resource: Resource, names: DescribedNames): readonly Schema[] {
  return [
    parameterRef("Q"),
    ...(resource.search === null ? [] : [parameterRef("Search")]),
    ...filtered(resource).map(({ name, schema }) => query(`filter[${name}]`, schema)),
    whereParameter(names),
  ];
}

function whereParameter(names: DescribedNames): Schema {
  return {
    name: "where",
    in: "query",
    content: { "application/json": { schema: schemaRef(names.Where) } },
  };
}

/** Returns the parameter of the id in a record's path. */
export function idParameter({ id }: Resource): Schema {
  if (id.type === "uuid") return parameterRef("Id");
  return { name: "id", in: "path", required: true, schema: idSchema(id.type) };
}

/** Returns the schema of a filter value, which may be empty for an optional field. */
function filtered({
  fields,
  times,
  id,
}: Resource): readonly { readonly name: string; readonly schema: Schema }[] {
  const single = fields.filter((field) => isFiltered(field) && field.list === null);
  const own = single.map((field) => {
    const shown = "target" in field ? idSchema(field.target.id.type) : valueSchema(field).shown;
    return { name: field.name, schema: isNullable(field) ? nullable(shown) : shown };
  });
  return [
    { name: "id", schema: idSchema(id.type) },
    ...own,
    ...knownTimes(times).map((name) => ({ name, schema: timestamp })),
  ];
}

export function sortParameter(names: DescribedNames): Schema {
  return namesParameter("sort", sortSchema(names));
}

export function fieldsParameter(names: DescribedNames): Schema {
  return namesParameter("fields", fieldsSchema(names));
}

export function sortSchema(names: DescribedNames): Schema {
  return schemaRef(names.Sort);
}

export function fieldsSchema(names: DescribedNames): Schema {
  return schemaRef(names.Field);
}

/** `include` and the options for the record's direct relations; the body of `_query` describes further levels. */
export function includeParameters(own: Resource, namesOf: NamesOf): readonly Schema[] {
  const { links } = own;
  const several = severalOf(own);
  const all = [...links, ...several].map(({ name }) => name);
  if (all.length === 0) return [];
  return [
    {
      ...namesParameter("include", {
        type: "array",
        minItems: 1,
        maxItems: 12,
        uniqueItems: true,
        items: { type: "string", pattern: `^(?:${all.join("|")})(?:\\.[A-Za-z0-9]+){0,2}$` },
      }),
      description: "Up to three names joined by dots; their options too: `include[a.b][fields]`.",
    },
    ...links.map(({ name, resource }) =>
      namesParameter(`include[${name}][fields]`, relatedFields(namesOf(resource))),
    ),
    ...several.flatMap(({ name, resource }) => {
      const related = namesOf(resource);
      if (related === null) return accountListParameters(name);
      return [
        namesParameter(`include[${name}][fields]`, fieldsSchema(related)),
        namesParameter(`include[${name}][sort]`, sortSchema(related)),
        query(`include[${name}][perPage]`, perInverse),
        query(`include[${name}][count]`, { type: "string", enum: ["true", "false"] }),
        { ...whereParameter(related), name: `include[${name}][where]` },
      ];
    }),
  ];
}

/** The options for including the accounts in a list of links. */
function accountListParameters(name: string): readonly Schema[] {
  return [
    namesParameter(`include[${name}][fields]`, personFields),
    query(`include[${name}][perPage]`, perInverse),
    query(`include[${name}][count]`, { type: "string", enum: ["true", "false"] }),
  ];
}

export function includeSchema(own: Resource, namesOf: NamesOf): Schema {
  const { links } = own;
  const properties = Object.fromEntries([
    ...links.map(({ name, resource }) => {
      const related = namesOf(resource);
      if (related === null) return [name, schemaRef("PersonInclude")] as const;
      return [name, included({ fields: fieldsSchema(related), ...inside(related) })] as const;
    }),
    ...severalOf(own).flatMap(({ name, resource }): (readonly [string, Schema])[] => {
      const related = namesOf(resource);
      if (related === null) {
        const ofAccounts = { fields: personFields, perPage: perInverse, count: boolean };
        return [[name, included(ofAccounts)]];
      }
      const options = {
        fields: fieldsSchema(related),
        sort: sortSchema(related),
        perPage: perInverse,
        where: schemaRef(related.Where),
        count: boolean,
      };
      return [[name, included({ ...options, ...inside(related) })] as const];
    }),
  ]);
  return {
    ...objectSchema(properties, Object.keys(properties)),
    maxProperties: 12,
  };
}

function included(options: Record<string, Schema>): Schema {
  return wanted(objectSchema(options, Object.keys(options)));
}

/** Returns the property for nested includes. */
function inside({ Include, includes }: RelatedNames): Record<string, Schema> {
  return includes ? { include: schemaRef(Include) } : {};
}

/** Returns the names of a resource's types; null for accounts. */
export type NamesOf = (resource: string) => RelatedNames | null;

export interface RelatedNames extends DescribedNames {
  /** Whether the resource has links or inverses. */
  readonly includes: boolean;
}

/** Number of records of an inverse; 0 returns only their count. */
const perInverse: Schema = { type: "integer", minimum: 0, maximum: 100, default: 10 };

function relatedFields(names: DescribedNames | null): Schema {
  return names === null ? personFields : fieldsSchema(names);
}
