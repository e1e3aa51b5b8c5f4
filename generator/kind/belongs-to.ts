import { z } from "zod";
import { type IdType, idForms } from "../../runtime/values/schema/id-types.js";
import type { Link } from "../../runtime/values/schema/schema.js";
import { idSchema, idTextOf } from "./column/id-text.js";
import { maxPlainKeyBytes } from "./column/key.js";
import {
  type CommonField,
  fieldNamePattern,
  type LinkTarget,
  resourceNamePattern,
} from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { commonOptions, unique } from "./option/options.js";

export interface BelongsToField extends CommonField {
  readonly kind: "belongsTo";
  readonly unique: boolean;
  /**
   * The option as written. If it is null, deleting the target is refused for a required link, and clears an optional
   * one.
   */
  readonly onDelete: "refuse" | "cascade" | null;
  /** The name under which the target's records list the records that link to them by this field; null for none. */
  readonly inverse: string | null;
  readonly target: LinkTarget;
}

const options = z
  .strictObject({
    ...commonOptions,
    resource: z
      .string("must be the name of a resource")
      .meta({
        hint: "write the name of a descriptor without its extension, such as categories",
        pattern: resourceNamePattern.source,
      })
      .describe(
        "The name of the resource, or users for the built-in accounts. The target of a required link cannot be deleted unless onDelete is cascade; an optional link is cleared unless onDelete is refuse.",
      ),
    onDelete: z
      .enum(["refuse", "cascade"], "must be refuse or cascade")
      .meta({
        hint: "refuse keeps the target from being deleted, cascade deletes this record with it; without it, an optional link is cleared",
      })
      .optional()
      .describe(
        "What deleting the linked record does: it is refused (refuse), or it deletes this record too (cascade, for a required link). Default: refuse for a required link; an optional one is cleared.",
      ),
    inverse: z
      .string("must be a name in camelCase")
      .regex(fieldNamePattern, "must be a name in camelCase")
      .meta({
        hint: "write the name that the linked record uses for these records, for example items",
      })
      .optional()
      .describe(
        "The name under which the linked record includes and filters these records: items. Not for links to users.",
      ),
    unique,
  })
  .describe("A link to a record of another resource, or of this one.");

type BelongsToOptions = z.output<typeof options>;

/** A link to a record of another or the same resource, or to an account. */
export const belongsTo: Kind<BelongsToField, BelongsToOptions> = {
  ...kindDefaults,
  name: "belongsTo",
  otherNames: {
    reference: "{ type: belongsTo, resource: … }",
    relation: "{ type: belongsTo, resource: … }",
  },
  example: "{ type: belongsTo, resource: categories }",
  options,
  check({ onDelete, required = false }) {
    if (onDelete !== "cascade" || required) return [];
    const message = `"onDelete: cascade" is for required links; an optional link is cleared, or refuses the deletion`;
    return [{ path: ["onDelete"], message, hint: "add required: true, or write onDelete: refuse" }];
  },
  field(common, written, linkTo) {
    return {
      ...common,
      kind: "belongsTo",
      unique: written.unique ?? false,
      onDelete: written.onDelete ?? null,
      inverse: written.inverse ?? null,
      target: linkTo(written.resource),
    };
  },
  relation({ resource: to, required, onDelete, inverse }) {
    if (typeof to !== "string") return null;
    return {
      to,
      required: required === true,
      cascades: onDelete === "cascade",
      inverse: typeof inverse === "string" ? inverse : null,
    };
  },
  describe: ({ target, onDelete, inverse }) => ({
    resource: target.resource,
    onDelete,
    inverse,
  }),
  typescript: () => ({ name: "string" }),
  schema: ({ target: { id } }) => ({
    shown: idSchema(id.type),
    example: idForms[id.type].example,
  }),
  validation: ({ target: { id } }) => ({
    validator: "reference",
    argument: id.type === "uuid" ? null : { id: id.type },
  }),
  runtimeColumn: ({ kind, target: { id } }) => ({ kind: linkKinds[id.type] ?? kind }),
  condition: {
    comparisons: "whole",
    shared: { name: "IdCondition", value: { type: "string", format: "uuid" } },
    type: "IdCondition",
  },
  title: "alone",
  aggregations: () => ["value"],
  sql: ({ target: { id } }) => ({ type: idForms[id.type].sqlType, check: null }),
  link({ target: { schema, table, id }, ...field }) {
    return { schema, table, column: id.column, onDelete: onDeleteOf(field) };
  },
  index: "list",
  keyBytes: () => maxPlainKeyBytes,
  inRow: () => ({ bytes: 16, alignment: 1 }),
  words: () => "a link",
  textForm: idTextOf,
};

/** The runtime's kinds of columns for ids of other types. */
const linkKinds: Partial<Record<IdType, string>> = {
  integer: "integerLink",
  string: "stringLink",
};

function onDeleteOf({
  required,
  onDelete,
}: Pick<BelongsToField, "required" | "onDelete">): Link["onDelete"] {
  if (!required && onDelete === null) return "set null";
  return onDelete === "cascade" ? "cascade" : "no action";
}
