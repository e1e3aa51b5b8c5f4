import { z } from "zod";
import { type RecordId, usualId } from "../../../runtime/values/schema/id-types.js";
import type { Entries } from "../../../runtime/values/schema/schema.js";
import { idSchema, idText } from "../column/id-text.js";
import { movable } from "../column/row.js";
import {
  type CommonField,
  fieldNamePattern,
  type LinkTarget,
  resourceNamePattern,
} from "../field.js";
import { type Kind, kindDefaults, type OptionProblem } from "../kind.js";
import { commonOptions, wholeNumber } from "../option/options.js";
import { columnName, tableName } from "../option/stored-name.js";

export interface LinksField extends CommonField {
  readonly kind: "links";
  readonly maxItems: number;
  /** `refuse` if a listed target cannot be deleted; null if its entries are deleted with it. */
  readonly onDelete: "refuse" | null;
  /** The name of the linked records in queries; null for the name derived from the field's. */
  readonly as: string | null;
  /** The name under which the target's records list the records that link to them; null for none. */
  readonly inverse: string | null;
  /** The former resource whose records become entries of the list; null for none. */
  readonly from: string | null;
  readonly target: LinkTarget;
  /**
   * The adopted join table that contains the links; null if the app stores them in a column and its own entries table.
   */
  readonly through: Through | null;
}

/** A join table and its columns, as the database spells them. */
export interface Through {
  readonly table: string;
  readonly record: string;
  readonly target: string;
  /** The id of the table that `record` references. */
  readonly id: RecordId;
}

/** Maximum number of links in one list. */
export const mostItems = 1000;
const defaultMaxItems = 100;

/** The runtime's kinds of lists of ids other than UUIDs. */
const kinds: Readonly<Record<string, string>> = { integer: "integerLinks", string: "stringLinks" };

/** Returns the join table that contains the links of a field; null for a list that the app stores itself. */
export function throughOf(field: CommonField & { readonly kind: string }): Through | null {
  return "through" in field ? (field as LinksField).through : null;
}

const queryName = z
  .string("must be a name in camelCase")
  .regex(fieldNamePattern, "must be a name in camelCase");

const options = z
  .strictObject({
    ...commonOptions,
    resource: z
      .string("must be the name of a resource")
      .meta({
        hint: "write the name of a descriptor without its extension, such as tags",
        pattern: resourceNamePattern.source,
      })
      .describe("The name of the resource, or users for the built-in accounts."),
    maxItems: wholeNumber(
      1,
      mostItems,
      "write the maximum number of links of one record, such as 20",
    )
      .optional()
      .describe(`The maximum number of links in the list. Default: ${defaultMaxItems}.`),
    onDelete: z
      .enum(["refuse"], "must be refuse")
      .meta({
        hint: "refuse keeps a listed record from being deleted; without it, the record is removed from the lists",
      })
      .optional()
      .describe(
        "refuse: a record in a list cannot be deleted. By default, a deleted record is removed from the lists.",
      ),
    as: queryName
      .meta({ hint: "write a name for the linked records, for example people" })
      .optional()
      .describe(
        "The name of the linked records, for include and where. Default: the field's name without Ids, in the plural.",
      ),
    inverse: queryName
      .meta({
        hint: "write the name that a target uses for the records that list it, for example products",
      })
      .optional()
      .describe(
        "The name under which a linked record includes and filters the records that list it. Not for links to users.",
      ),
    from: z
      .string("must be a resource's name")
      .regex(resourceNamePattern, "must be a resource's name, such as product-tags")
      .meta({ hint: "write the name of the resource whose records the list replaces" })
      .optional()
      .describe(
        "A former resource with one required link to each side: the migration turns each of its records into an entry.",
      ),
    through: z
      .strictObject({
        table: tableName().unwrap(),
        record: columnName().unwrap(),
        target: columnName().unwrap(),
      })
      .meta({ hint: "write { table: film_actor, record: film_id, target: actor_id }" })
      .optional()
      .describe(
        "An existing table with the links, and its columns with the ids of the record and of the target. The list is sorted by id.",
      ),
  })
  .describe("A list of links to records of another resource, or of this one, in a given order.");

type LinksOptions = z.output<typeof options>;

/** Finds options that contradict `through`, whose links already exist. */
function checkThrough({ through, from }: Partial<LinksOptions>): readonly OptionProblem[] {
  if (through === undefined || from === undefined) return [];
  const message = 'a list has either "from" or "through"';
  return [{ path: ["through"], message, hint: "remove one of them" }];
}

/** An ordered list of links to records of another or the same resource, or to accounts. */
export const links: Kind<LinksField, LinksOptions> = {
  ...kindDefaults,
  name: "links",
  otherNames: {
    manytomany: "{ type: links, resource: … }",
    belongstomany: "{ type: links, resource: … }",
    relationmany: "{ type: links, resource: … }",
  },
  example: "{ type: links, resource: tags }",
  options,
  check: checkThrough,
  field(common, written, linkTo) {
    return {
      ...common,
      kind: "links",
      maxItems: written.maxItems ?? defaultMaxItems,
      onDelete: written.onDelete ?? null,
      as: written.as ?? null,
      inverse: written.inverse ?? null,
      from: written.from ?? null,
      target: linkTo(written.resource),
      through: written.through === undefined ? null : { ...written.through, id: usualId },
    };
  },
  relation({ resource: to, required, as, inverse }) {
    if (typeof to !== "string") return null;
    return {
      to,
      required: required === true,
      cascades: false,
      inverse: typeof inverse === "string" ? inverse : null,
      list: { as: typeof as === "string" ? as : null },
    };
  },
  describe: ({ target, maxItems, onDelete, as, inverse }) => ({
    resource: target.resource,
    maxItems,
    onDelete,
    as,
    inverse,
  }),
  typescript: () => ({ name: "string[]" }),
  runtimeColumn: ({ kind, target: { id } }) => ({ kind: kinds[id.type] ?? kind }),
  schema: ({ maxItems, required, target }) => ({
    shown: { type: "array", items: idSchema(target.id.type) },
    rules: { maxItems, uniqueItems: true, ...(required && { minItems: 1 }) },
    example: null,
  }),
  validation: ({ maxItems, required, target: { id } }) => ({
    validator: "references",
    argument: {
      ...{ maxItems, ...(required && { required: true as const }) },
      ...(id.type !== "uuid" && { id: id.type }),
    },
    takesNull: true,
  }),
  emptyValue: { sql: "'{}'", literal: [] },
  condition: {
    comparisons: "links",
    shared: { name: "IdsCondition", value: { type: "string", format: "uuid" } },
    type: "IdsCondition",
  },
  title: null,
  sql: () => ({ type: "uuid[]", check: null }),
  // The foreign keys of an adopted join table determine what happens on deletion.
  entries: ({ target: { schema, table }, onDelete, through }): Entries | null =>
    through !== null
      ? null
      : ({
          schema,
          table,
          onDelete: onDelete === "refuse" ? "no action" : "cascade",
        } as const),
  keyBytes: () => null,
  unindexedHint: "leave it out: a list is not compared as a whole",
  inRow: () => movable,
  words: () => "a list of links",
  // Converts an element: lists are converted element by element.
  textForm: () => idText,
};
