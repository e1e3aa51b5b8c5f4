import { z } from "zod";
import type { IncludeQuery } from "../../own-code/index.js";
import { cutLength, maxFound } from "./find.js";
import type { AgentTool } from "./tool.js";

const resource = z
  .string({ error: "Must be the name of a resource" })
  .describe("The name of a resource, from list_resources.");
const id = z
  .string({ error: "Must be an id" })
  .describe("The record's id, as returned in records.");
const values = z
  .record(z.string(), z.unknown(), { error: "Must be an object of values" })
  .describe("Values by field, as describe_resource names them; null empties an optional field.");
const ifMatch = z
  .string({ error: "Must be an etag" })
  .optional()
  .describe(
    'The etag that get, create or update returned, with its quotes. If the record has changed since, nothing is written and the status is 412. "*" is any.',
  );

const names = z.array(z.string(), { error: "Must be a list of strings" });
const fields = names
  .optional()
  .describe('Only these fields. "description:500" is the first 500 characters of a text.');
const where = z
  .record(z.string(), z.unknown())
  .describe(
    'Conditions that all have to match, by field: { "status": "open", "price": { "gte": 10, "lt": 20 } }; null is empty. Operators: ne, in, nin, gt, gte, lt, lte, contains, starts, ends. "and" and "or" take lists, "not" takes an object. A link takes conditions on its record, an inverse { some } or { none }.',
  );
const sort = names.describe(
  'Up to three fields, with "-" in front for descending: ["-createdAt"]; a field of a linked record as "customer.name".',
);

const includeOptions: z.ZodType<IncludeQuery> = z.lazy(() =>
  z.strictObject({
    fields,
    sort: sort.optional(),
    perPage: z.number().optional(),
    where: where.optional(),
    count: z.boolean().optional(),
    include: include.optional(),
  }),
) as z.ZodType<IncludeQuery>;
const include = z
  .record(z.string(), z.union([z.literal(true), includeOptions]), {
    error: "Must be an object of names, each with true or an object of options",
  })
  .describe(
    'Related records, by the name of a link or an inverse: { "customer": true, "items": { "fields": ["quantity"], "perPage": 5 } }.',
  );

export const listInput = z.strictObject({});
export const describeInput = z.strictObject({ resource });
export const getInput = z.strictObject({ resource, id, fields, include: include.optional() });
export const createInput = z.strictObject({ resource, values });
export const updateInput = z.strictObject({
  resource,
  id,
  values: values.describe(
    'Values by field, as describe_resource names them; null empties an optional field. { "add": -1 } adds to the number that is stored at that time.',
  ),
  ifMatch,
});
export const deleteInput = z.strictObject({ resource, id, ifMatch });

/** The part that all queries share; the rest is the body of a route, which validates it. */
export const queryInput = z.looseObject({ resource });

const search = z
  .string()
  .optional()
  .describe(
    'Words in any form, best matches first, if describe_resource shows search: "exact phrase", or between words, -not.',
  );

/** The input of `find` as described to agents. */
export const findShape = z.strictObject({
  resource,
  where: where.optional(),
  q: z
    .string()
    .optional()
    .describe("Text that any string field contains, regardless of case and accents."),
  search,
  highlight: names
    .optional()
    .describe(
      "The string and text fields for which meta.highlights shows the words that search matched.",
    ),
  sort: sort.optional(),
  page: z.number().optional().describe("From 1."),
  perPage: z.number().optional().describe(`At most ${maxFound}, which is the default.`),
  cursor: z
    .string()
    .optional()
    .describe('Instead of page: "" for the first page, then meta.next of the one before.'),
  fields: fields.describe(
    `Only these fields. By default, all are returned, with texts cut at ${cutLength} characters.`,
  ),
  include: include.optional(),
  etags: z.boolean().optional().describe("Adds the records' etags in meta.etags."),
  timezone: z.string().optional(),
});

const measured = names.optional();

/** The input of `aggregate` as described to agents. */
export const aggregateShape = z.strictObject({
  resource,
  sum: measured.describe("Number fields."),
  avg: measured.describe("Number fields."),
  min: measured.describe("Number, date and timestamp fields."),
  max: measured.describe("Number, date and timestamp fields."),
  by: measured.describe(
    'Up to two fields to group by; dates and timestamps as "createdAt:month" (day, week, month, year), a field of a linked record as "customer.country". Without it all records are one group.',
  ),
  distinct: measured.describe("Fields whose distinct values are counted."),
  include: include.optional(),
  where: where.optional(),
  q: z
    .string()
    .optional()
    .describe("Text that any string field contains, regardless of case and accents."),
  search,
  sort: z
    .string()
    .optional()
    .describe('count, "sum.price" or a field of by, with "-" in front for descending.'),
  perPage: z
    .number()
    .optional()
    .describe("The maximum number of groups: 1 to 1000, 100 by default."),
  timezone: z
    .string()
    .optional()
    .describe("The time zone of days, weeks, months and years: an IANA name."),
});

/** An input that only the route validates. */
export const anyInput = z.looseObject({});

/** The input of `batch` as described to agents; the route validates it. */
export const batchShape = z.strictObject({
  operations: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      '1 to 100: { "create": resource, values }, { "update": resource, id, values, ifMatch? }, { "upsert": resource, by, values } or { "delete": resource, id, ifMatch? }. { "ref": 0 } as a link is the id of what operation 0 creates.',
    ),
  atomic: z
    .boolean()
    .optional()
    .describe(
      "True, the default: all or none. False: each independently, with errors beside data.",
    ),
});

/** Returns the JSON Schema of an input. */
export function schemaOf(shape: z.ZodObject): AgentTool["inputSchema"] {
  return { ...z.toJSONSchema(shape, { io: "input" }), type: "object" };
}
