import { z } from "zod";
import type { JsonSchema } from "../../json-schema/schema.js";
import type { Change } from "../change-kinds.js";
import type { Bound, Check } from "../check.js";
import { fieldKinds } from "../field-kinds.js";
import type {
  AdoptedColumn,
  Column,
  Count,
  Entries,
  Index,
  Link,
  Table,
  Words,
} from "../schema.js";

/** The list of changes next to a migration's SQL: `migrations/NNNN_<what>.json`. */
export interface MigrationRecord {
  /** The migration's name without folder and extension: `0001_create_products`. */
  readonly name: string;
  readonly changes: readonly Change[];
}

/** Parses a migration's record; null if the text is invalid. */
export function readRecord(name: string, text: string): MigrationRecord | null {
  const parsed = record.safeParse(jsonOf(text));
  return parsed.success ? { name, changes: parsed.data.changes } : null;
}

const kind = z.enum(fieldKinds);
const text = z.string();

const bound: z.ZodType<Bound> = z.strictObject({
  operator: z.enum([">=", ">", "<=", "<", "<>"]),
  value: text,
});

const valueChecks = [
  z.strictObject({ rule: z.literal("length"), least: z.int(), most: z.int() }),
  z.strictObject({ rule: z.literal("range"), lower: bound.nullable(), upper: bound.nullable() }),
  z.strictObject({ rule: z.literal("values"), values: z.array(text) }),
] as const;

const check: z.ZodType<Check> = z.discriminatedUnion("rule", [
  ...valueChecks,
  z.strictObject({
    rule: z.literal("list"),
    least: z.int(),
    most: z.int(),
    distinct: z.boolean(),
    element: z.discriminatedUnion("rule", valueChecks).nullable(),
  }),
]);

const link: z.ZodType<Link> = z.strictObject({
  schema: z.enum(["public", "service"]),
  table: text,
  column: text,
  onDelete: z.enum(["no action", "cascade", "set null"]),
});

const entries: z.ZodType<Entries> = z.strictObject({
  schema: z.enum(["public", "service"]),
  table: text,
  column: text.exactOptional(),
  onDelete: z.enum(["no action", "cascade"]),
});

/** Not validated here, because the schema was checked when it was recorded. */
const jsonSchema: z.ZodType<JsonSchema> = z.custom<JsonSchema>(
  (value) => typeof value === "boolean" || (typeof value === "object" && value !== null),
);

const column: z.ZodType<Column> = z.strictObject({
  name: text,
  field: text.nullable(),
  kind: kind.nullable(),
  time: z.enum(["createdAt", "updatedAt"]).exactOptional(),
  type: text,
  required: z.boolean(),
  default: text.nullable(),
  check: check.nullable(),
  link: link.nullable(),
  id: z.enum(["identity", "key"]).exactOptional(),
  entries: entries.exactOptional(),
  schema: jsonSchema.exactOptional(),
});

const index: z.ZodType<Index> = z.strictObject({
  unique: z.boolean(),
  keys: z.array(
    z.strictObject({
      column: text,
      order: z.enum([
        "asc",
        "desc",
        "desc nulls last",
        "digest",
        "folded",
        "folded digest",
        "contained",
        "elements",
      ]),
    }),
  ),
  expression: z.strictObject({ name: text, sql: text }).exactOptional(),
});

const counts: z.ZodType<readonly Count[]> = z.array(
  z.strictObject({ column: text, value: text.nullable() }),
);
const search = z.array(text);

const words: z.ZodType<Words> = z.strictObject({
  language: text.nullable(),
  languageColumn: text.nullable(),
  languages: z.array(text),
  accents: z.enum(["keep", "ignore"]),
  fields: z.array(
    z.strictObject({
      column: text,
      weight: z.enum(["A", "B", "C", "D"]),
      group: z.int(),
      list: z.literal(true).exactOptional(),
      link: z
        .strictObject({ column: text, table: text, list: z.literal(true).exactOptional() })
        .nullable(),
    }),
  ),
});

const adoptedColumn: z.ZodType<AdoptedColumn> = z.strictObject({
  name: text,
  type: text,
  required: z.literal(true).exactOptional(),
  cast: text.exactOptional(),
  dangling: z.literal(true).exactOptional(),
});

const table: z.ZodType<Table> = z.strictObject({
  name: text,
  resource: text,
  columns: z.array(column),
  indexes: z.array(index),
  counts: counts.nullable(),
  search,
  logged: z.literal(true).exactOptional(),
  trash: z.literal(true).exactOptional(),
  words: words.exactOptional(),
  adopted: z.array(adoptedColumn).exactOptional(),
  unversioned: z.literal(true).exactOptional(),
});

const ofColumn = { table: text, column: text };

function setPart<Kind extends string, Part extends z.ZodType>(name: Kind, part: Part) {
  return z.strictObject({ kind: z.literal(name), ...ofColumn, from: part, to: part });
}

const change: z.ZodType<Change> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("renameTable"),
    table: text,
    to: z.strictObject({ name: text, resource: text }),
  }),
  z.strictObject({
    kind: z.literal("renameColumn"),
    ...ofColumn,
    to: z.strictObject({ name: text, field: text }),
  }),
  z.strictObject({ kind: z.literal("renameValue"), ...ofColumn, value: text, to: text }),
  z.strictObject({ kind: z.literal("createTable"), table }),
  z.strictObject({ kind: z.literal("dropTable"), table: text }),
  z.strictObject({
    kind: z.literal("addColumn"),
    table: text,
    column,
    adopted: adoptedColumn.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("dropColumn"), ...ofColumn }),
  z.strictObject({
    kind: z.literal("replaceColumn"),
    table: text,
    from: column,
    column,
    indexes: z.array(index),
  }),
  setPart("setKind", kind.nullable()),
  setPart("setDefault", text.nullable()),
  setPart("setRequired", z.boolean()),
  setPart("setCheck", check.nullable()),
  setPart("setLink", link.nullable()),
  setPart("setEntries", entries.nullable()),
  setPart("setSchema", jsonSchema.nullable()),
  z.strictObject({
    kind: z.literal("movePairs"),
    ...ofColumn,
    into: z.enum(["entries", "rows"]),
    pairs: z.strictObject({ table: text, record: text, target: text }),
  }),
  z.strictObject({ kind: z.literal("createIndex"), table: text, index }),
  z.strictObject({ kind: z.literal("dropIndex"), table: text, index }),
  z.strictObject({ kind: z.literal("setTally"), table: text, to: counts.nullable() }),
  z.strictObject({ kind: z.literal("setSearch"), table: text, to: search }),
  z.strictObject({ kind: z.literal("setLog"), table: text, to: z.boolean() }),
  z.strictObject({ kind: z.literal("setTrash"), table: text, to: z.boolean() }),
  z.strictObject({ kind: z.literal("setWords"), table: text, to: words.nullable() }),
]);

const record = z.strictObject({ changes: z.array(change) });

/** Formats a migration's record. */
export function recordText(changes: readonly Change[]): string {
  return `${JSON.stringify({ changes }, null, 2)}\n`;
}

/** Parses JSON; undefined for any other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
