import type { Check } from "../../../runtime/values/schema/check.js";
import type { Entries, Link } from "../../../runtime/values/schema/schema.js";
import type { Literal } from "../../text/typescript.js";
import { movable } from "../column/row.js";
import type { CommonField } from "../field.js";
import type { Condition, Kind, KindField, ValueSchema } from "../kind.js";
import { listType } from "./column.js";
import { checkList, listOptions, listRules } from "./options.js";
import type { ListRules } from "./rules.js";

/** The kind of lists whose elements are of this kind. */
export function listOf<F extends KindField>(kind: Kind<F>): Kind<F> {
  return {
    ...kind,
    isList: true,
    example: kind.example.replace(" }", ", list: true }"),
    options: listOptions(kind),
    check: (options) => checkList(options, kind.check),
    field: (common, options, linkTo) => {
      const element = (usual: unknown) =>
        kind.field(
          { ...common, required: true },
          { ...options, required: true, default: usual },
          linkTo,
        );
      const stored = (usual: unknown) => storedDefault(element(usual)) ?? "";
      const written = kind.isFile ? { ...options, distinct: true } : options;
      const rules = listRules(common, written, stored);
      return { ...element(undefined), list: rules };
    },
    describe(field) {
      const { maxItems, isDistinct, isIndexed } = rulesOf(field);
      return {
        ...kind.describe(elementOf(field)),
        list: true,
        maxItems,
        distinct: (isDistinct && !kind.isFile) || null,
        index: isIndexed || null,
      };
    },
    typescript: (field) => ({ list: kind.typescript(elementOf(field)) }),
    schema: (field) => schemaOf(kind, field),
    validation(field) {
      const { least, maxItems, isDistinct } = rulesOf(field);
      const argument = {
        maxItems,
        ...(least > 0 && { minItems: least }),
        ...(isDistinct && { distinct: true as const }),
      };
      return { validator: "listOf", of: kind.validation(elementOf(field)), argument };
    },
    computing: null,
    condition: kind.condition && conditionOf(kind, kind.condition),
    aggregations: () => [],
    canBeCut: false,
    isAddable: true,
    title: null,
    namesAccount: false,
    namesRole: false,
    namesLanguage: false,
    highlight: null,
    sql(field) {
      const { type, check } = kind.sql(elementOf(field));
      return { type: listType(type), check: checkOf(rulesOf(field), check) };
    },
    link: () => null,
    entries: (field) => entriesOf(kind.link(elementOf(field))),
    runtimeColumn: (field, stored) =>
      columnOf(field, kind.runtimeColumn(elementOf(field), stored?.replace("[]", ""))),
    index: null,
    isSortedAsStored: false,
    counted: () => [],
    keyBytes: () => null,
    unindexedHint: kind.isFile
      ? kind.unindexedHint
      : "leave it out: write index: true in the field to find lists by their elements",
    inRow: () => movable,
    words: () => "a list",
  };
}

/** Returns the list column in `table.ts`, given that of an element. */
function columnOf(
  field: KindField,
  { kind = field.kind, values, isPrivate }: Readonly<Record<string, Literal>>,
): Readonly<Record<string, Literal>> {
  return {
    kind: `${kind}List`,
    ...(values !== undefined && { values }),
    ...(isPrivate !== undefined && { isPrivate }),
  };
}

/** Returns the field that describes one element. */
export function elementOf<F extends CommonField>(field: F): F {
  return { ...field, list: null };
}

function rulesOf({ list }: CommonField): ListRules {
  if (list === null) throw new Error("the field is not a list");
  return list;
}

function storedDefault(field: KindField): string | number | null {
  const usual = "default" in field ? field.default : null;
  return typeof usual === "string" || typeof usual === "number" ? usual : null;
}

function schemaOf<F extends KindField>(kind: Kind<F>, field: F): ValueSchema {
  const { least, maxItems, isDistinct, default: usual } = rulesOf(field);
  const { shown, rules = {}, example } = kind.schema(elementOf(field));
  const [first] = usual ?? [];
  const one = first ?? example;
  return {
    shown: { type: "array", items: shown },
    rules: {
      items: { ...shown, ...rules },
      ...(least > 0 && { minItems: least }),
      maxItems,
      ...(isDistinct && { uniqueItems: true }),
    },
    example: one === null || typeof one === "object" ? null : [one],
  };
}

/** Returns what the elements of a list refer to; null if they do not refer to anything. */
function entriesOf(link: Link | null): Entries | null {
  if (link === null) return null;
  const { schema, table, column, onDelete } = link;
  return { schema, table, column, onDelete: onDelete === "cascade" ? onDelete : "no action" };
}

/**
 * Returns the condition on lists, which are compared by their elements. Lists of files can only be compared with the
 * empty list.
 */
function conditionOf(
  { isFile }: Pick<Kind<never>, "isFile">,
  { comparisons }: Condition,
): Condition {
  if (isFile) return { comparisons: "files", shared: null, type: "FilesCondition" };
  const isText = comparisons === "text";
  return {
    comparisons: isText ? "texts" : "list",
    shared: null,
    type: isText ? "TextListCondition" : "ListCondition",
  };
}

function checkOf({ least, maxItems, isDistinct }: ListRules, element: Check | null): Check {
  if (element?.rule === "list") throw new Error("lists cannot contain lists");
  return { rule: "list", least, most: maxItems, distinct: isDistinct, element };
}
