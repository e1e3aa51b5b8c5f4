import type { FoundColumn } from "../../catalogue/catalogue.js";
import type { FieldOptions, Remark } from "../adoption.js";
import type { ColumnRules } from "./checks.js";
import { isSecret } from "./secrets.js";
import {
  canBeUnique,
  decideType,
  enumType,
  isLocalTime,
  type TypeDecision,
  type Values,
} from "./types.js";

/** Information on a column from other parts of its table. */
export interface ColumnContext {
  readonly rules: ColumnRules;
  readonly isUnique: boolean;
  /** The options of a link; null if the column is not a link. */
  readonly link: FieldOptions | null;
  readonly values: Values;
}

export interface ColumnDecision {
  /** Null for a column that becomes no field. */
  readonly options: FieldOptions | null;
  readonly remarks: readonly Remark[];
}

/** Decides which field a column becomes. Not for the key and the times of creation and last change. */
export function decideColumn(column: FoundColumn, context: ColumnContext): ColumnDecision {
  const { name } = column;
  const { link, rules, values } = context;
  const isNamed = !unusableNames.has(name) || isUnzoned(column, values);
  if (!isNamed || /\p{Cc}/u.test(name)) {
    const why = `a field cannot use the column ${name}`;
    return unmanaged(column, { kind: "name", why, way: "rename the column" });
  }
  if (link === null && isSecret(name)) {
    const way = "add the field to the descriptor if callers may see it";
    return unmanaged(column, { kind: "secret", why: "its name suggests a secret", way });
  }
  const decided = decideType(column.type, values);
  const isWritten = !column.isGenerated && column.identity !== "always";
  if (decided.kind === "unmanaged" && link === null) {
    return unmanaged(column, { kind: "type", why: decided.why, way: decided.way });
  }
  if (decided.kind === "read-only" && link === null) return readOnly(column, decided);
  const own = link ?? (decided.kind === "taken" ? withRules(decided.options, rules) : null);
  if (own === null) return { options: null, remarks: [] };
  if (isWritten) return { options: written(column, own, context), remarks: [] };
  const what = column.isGenerated
    ? "the database computes it"
    : "the database generates its values";
  const remark = {
    column: name,
    kind: "generated",
    taken: "read-only",
    why: what,
    way: null,
  } as const;
  return { options: { ...withoutRequired(own), readOnly: true }, remarks: [remark] };
}

/** Whether the column stores timestamps whose time zone is unknown and must be specified. */
export function isUnzoned({ name, type }: FoundColumn, { timezone }: Pick<Values, "timezone">) {
  return timezone === null && isLocalTime(type) && !isSecret(name);
}

/** Names of columns that have another meaning in every table of the app. */
const unusableNames: ReadonlySet<string> = new Set(["updated_at"]);

function unmanaged(
  { name }: FoundColumn,
  { kind, why, way }: Pick<Remark, "kind" | "why" | "way">,
): ColumnDecision {
  return { options: null, remarks: [{ column: name, kind, taken: false, why, way }] };
}

function readOnly(
  { name }: FoundColumn,
  { options, why, way }: Extract<TypeDecision, { kind: "read-only" }>,
): ColumnDecision {
  const remark = { column: name, kind: "type", taken: "read-only", why, way } as const;
  return { options: { ...options, readOnly: true }, remarks: [remark] };
}

function withRules(options: FieldOptions, { values, min, max }: ColumnRules): FieldOptions {
  if (values !== undefined) return { type: enumType, values };
  return {
    ...options,
    ...(min !== undefined && { min: Math.max(min, numberOr(options.min, min)) }),
    ...(max !== undefined && { max: Math.min(max, numberOr(options.max, max)) }),
  };
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Returns the options of a writable field. Whether a link is required depends on other links. */
function written(
  column: FoundColumn,
  own: FieldOptions,
  { link, isUnique }: ColumnContext,
): FieldOptions {
  const { isNullable } = column;
  return {
    ...own,
    ...(!isNullable && link === null && own.list === undefined && { required: true as const }),
    ...((column.default !== null || column.identity !== null) && { columnDefault: true }),
    ...(isUnique && canBeUnique(own) && { unique: true as const }),
  };
}

function withoutRequired({
  required: _,
  onDelete: _deletion,
  ...options
}: FieldOptions): FieldOptions {
  return options as FieldOptions;
}
