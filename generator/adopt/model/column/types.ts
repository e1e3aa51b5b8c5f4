import type { FoundType } from "../../catalogue/catalogue.js";
import type { FieldOptions } from "../adoption.js";

/** The field that a column's type becomes. */
export type TypeDecision =
  | { readonly kind: "taken"; readonly options: FieldOptions }
  /** Represented by a read-only field with these options. */
  | {
      readonly kind: "read-only";
      readonly options: FieldOptions;
      readonly why: string;
      readonly way: string | null;
    }
  | { readonly kind: "unmanaged"; readonly why: string; readonly way: string | null };

/** Maximum `maxLength` of a string and maximum number of values of an enum. */
const maxString = 10_000;
const maxValues = 200;
const maxText = 10_000_000;
/** Maximum number of elements of a list. */
const maxListed = 200;

/** Matches a type such as `timestamp(3) with time zone`. */
const typePattern = /^([^(]+?)(?:\((.*?)\))?(?: (?:with|without) time zone)?$/;

/** The message of a 422 response. */
const notUuid = "Must be a UUID";
const uuid = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/** Number of decimal digits that a JSON number represents exactly. */
const maxDigits = 15;

/** Whether all values of a text column without a maximum length are single lines of at most 255 characters. */
export type Texts = "lines" | "longer";

/** Information on a column's values that its type does not contain. */
export interface Values {
  readonly texts: Texts;
  /** The time zone of timestamps stored without one; null if it is unknown. */
  readonly timezone: string | null;
}

/** Decides which field a type becomes. */
export function decideType(type: FoundType, { texts, timezone }: Values): TypeDecision {
  const { declared, base, isArray, values } = type;
  if (isArray) return ofArray(type);
  if (values !== null) return ofEnum(declared, values);
  const [, word = "", size = null] = typePattern.exec(base) ?? [];
  switch (word.replace(/^.*\./, "")) {
    case "character varying":
    case "character":
      return size === null ? ofText(texts) : ofLength(Number(size));
    case "text":
    case "citext":
      return ofText(texts);
    case "uuid":
      return taken({ type: "string", maxLength: 36, pattern: uuid, patternHint: notUuid });
    case "smallint":
      return taken({ type: "number", integer: true, min: -32_768, max: 32_767 });
    case "integer":
      return taken({ type: "number", integer: true, min: -2_147_483_648, max: 2_147_483_647 });
    case "bigint":
      return taken({ type: "number", integer: true });
    case "numeric":
      return ofNumeric(declared, size);
    case "real":
    case "double precision":
      return taken({ type: "number" });
    case "boolean":
      return taken({ type: "boolean" });
    case "date":
      return taken({ type: "date" });
    case "timestamp":
      return isLocalTime(type) ? ofLocalTime(timezone) : taken({ type: "timestamp" });
    case "json":
    case "jsonb":
      return taken({ type: "json" });
    case "bytea":
    case "tsvector":
      return { kind: "unmanaged", why: `${declared} has no JSON representation`, way: null };
    default:
      return readOnly(`no kind of field supports ${declared}`);
  }
}

function taken(options: FieldOptions): TypeDecision {
  return { kind: "taken", options };
}

function readOnly(why: string, way: string | null = null): TypeDecision {
  return { kind: "read-only", options: { type: "text" }, why, way };
}

function ofLength(length: number): TypeDecision {
  if (length <= maxString) return taken({ type: "string", maxLength: length });
  return taken({ type: "text", maxLength: Math.min(length, maxText) });
}

function ofText(texts: Texts): TypeDecision {
  return taken({ type: texts === "lines" ? "string" : "text" });
}

function ofEnum(declared: string, values: readonly string[]): TypeDecision {
  if (!areValues(values)) return readOnly(`${declared} has values that an enum cannot have`);
  return taken({ type: enumType, values });
}

/** Field types whose arrays become lists. */
const listed: ReadonlySet<string> = new Set(["string", "number", "enum", "date"]);

function ofArray(type: FoundType): TypeDecision {
  const element = decideType({ ...type, isArray: false }, { texts: "lines", timezone: null });
  const isList = element.kind === "taken" && listed.has(element.options.type);
  if (!isList) {
    return readOnly(`${type.declared} is an array of values that no list supports`);
  }
  return taken({ ...element.options, list: true, maxItems: maxListed });
}

/** Whether an enum can have these values. */
export function areValues(values: readonly string[]): boolean {
  const isShort = (value: string) => value !== "" && [...value].length <= 255;
  return values.length > 0 && values.length <= maxValues && values.every(isShort);
}

function ofNumeric(declared: string, size: string | null): TypeDecision {
  const [digits = 0, places = 0] = (size ?? "").split(",").map(Number);
  if (size === null || digits > maxDigits || places < 0 || places > digits) {
    return readOnly(
      `${declared} may hold numbers that JSON cannot represent exactly`,
      `declare at most ${maxDigits} digits, as in numeric(${maxDigits}, 2)`,
    );
  }
  const max = Number(`${"9".repeat(digits - places) || "0"}.${"9".repeat(places) || "0"}`);
  return taken({ type: "number", decimals: places, min: -max, max });
}

/** Whether values are timestamps without a time zone. */
export function isLocalTime({ base, isArray }: FoundType): boolean {
  return !isArray && /^timestamp\b.*without time zone$/.test(base);
}

function ofLocalTime(timezone: string | null): TypeDecision {
  if (timezone !== null) return taken({ type: "timestamp", timezone });
  return { kind: "unmanaged", why: noZone, way: zoneWay };
}

const noZone = "the database does not store the time zone of these times";
const zoneWay = "name the zone in which they are written, for example --timezone Europe/Oslo";

export const linkType = "belongsTo";

export const enumType = "enum";

/** Whether values are single lines, which lists can search and filter by. */
export function isString({ type }: FieldOptions): boolean {
  return type === "string";
}

export function isNumber({ type }: FieldOptions): boolean {
  return type === "number";
}

const unique: ReadonlySet<string> = new Set([
  "string",
  "number",
  "enum",
  "date",
  "timestamp",
  linkType,
]);

/** Whether the values of such a field may be unique. */
export function canBeUnique({ type, list }: FieldOptions): boolean {
  return list === undefined && unique.has(type);
}

/** Whether the values of such a field can be unique in combination with others. */
export function canBeTogether(options: FieldOptions): boolean {
  return canBeUnique(options) || options.type === "boolean";
}
