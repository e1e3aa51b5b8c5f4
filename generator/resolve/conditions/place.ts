import type { Comparisons } from "../../../runtime/values/operators.js";
import type { IdType } from "../../../runtime/values/schema/id-types.js";
import { databaseTimezone } from "../../../runtime/values/timezone/name.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import { knownTimes } from "../../model/times.js";
import { linkNames } from "../inverses.js";
import { accounts, columnIn, columnOf, targetOf } from "../names/stored.js";
import { linksOf } from "../relations.js";

/** A field in a condition. */
export interface Named {
  readonly field: string;
  readonly column: string;
  readonly kind: string;
  /** Null if the field cannot be compared. */
  readonly comparisons: Comparisons | null;
  /** Whether conditions can test members of the field's values. */
  readonly hasMembers: boolean;
  /** The values of an enum; empty for other kinds. */
  readonly values: readonly string[];
  readonly isInteger: boolean;
  /** Whether values are lists, whose elements are compared. */
  readonly isList: boolean;
  /** Whether the field links to an account. */
  readonly isAccount: boolean;
  /** The type of ids, if the field is an id or a link. */
  readonly idType: IdType;
  /** The time zone of a column that stores times without one; null for other columns. */
  readonly timezone: string | null;
}

/** A link that a condition follows. */
export interface Followed {
  readonly column: string;
  readonly to: {
    readonly schema: "public" | "service";
    readonly table: string;
    /** The column of the linked record's id. */
    readonly id: string;
  };
  /** The names that conditions can use for the linked record; null if the link's target does not exist. */
  readonly place: Place | null;
}

/** The names that conditions on a record can use. */
export interface Place {
  readonly name: string;
  readonly fields: readonly string[];
  readonly links: readonly string[];
  /** Finds a field; returns null if there is none, or its type is unknown. */
  field(name: string): Named | null;
  link(name: string): Followed | null;
  /** Whether the name is a field of unknown type, which is reported at its definition. */
  isUnknown(name: string): boolean;
  isInverse(name: string): boolean;
  isComputed(name: string): boolean;
  /** Whether a read-only field, or its link, has that name. */
  isReadOnly(name: string): boolean;
  /** Returns the current name of the field that formerly had that name; null if there is none. */
  renamed(name: string): string | null;
}

const plain = {
  hasMembers: false,
  values: [],
  isInteger: false,
  isList: false,
  isAccount: false,
  idType: "uuid",
  timezone: null,
} as const;

/** Returns the fields that a record has in addition to those of its descriptor. */
function ownOf(descriptor: Descriptor): readonly Named[] {
  return [
    {
      field: "id",
      column: descriptor.id.column,
      kind: "id",
      comparisons: "whole",
      ...plain,
      idType: descriptor.id.type,
    },
    ...knownTimes(descriptor.times).map((field): Named => {
      const column = columnIn(descriptor, field);
      const timezone = descriptor.zones[field];
      return { field, column, kind: "timestamp", comparisons: "order", ...plain, timezone };
    }),
  ];
}

/** Returns the names that conditions on records of a descriptor can use. */
export function placeOf(descriptor: Descriptor, descriptors: readonly Descriptor[]): Place {
  const { name } = descriptor;
  const own = ownOf(descriptor);
  // Conditions apply to stored values that are known before a write.
  const isReadOnly = (field: string) =>
    descriptor.fields.some((one) => one.name === field && one.options.readOnly === true);
  const fields = descriptor.fields.filter(
    ({ name: field, options }) => options.computed === undefined && !isReadOnly(field),
  );
  const allLinks = linkNames(descriptor);
  const links = allLinks.filter(({ field }) => !isReadOnly(field));
  return {
    name,
    fields: [...fields.map((field) => field.name), ...own.map(({ field }) => field)],
    links: links.map((link) => link.name),
    field(named) {
      const system = own.find(({ field }) => field === named);
      if (system !== undefined) return system;
      const found = fields.find((field) => field.name === named);
      if (found === undefined || found.kind === null) return null;
      const { kind, options } = found;
      const { values, integer, resource, timezone } = options;
      return {
        field: named,
        column: columnOf(found),
        kind: kind.name,
        comparisons: kind.relation(options)?.list ? null : (kind.condition?.comparisons ?? null),
        hasMembers: kind.hasMembers,
        values: Array.isArray(values) ? values : [],
        isInteger: integer === true,
        isList: options.list === true,
        isAccount: resource === accounts,
        idType: typeof resource === "string" ? targetOf(resource, descriptors).id.type : "uuid",
        timezone: typeof timezone === "string" ? databaseTimezone(timezone) : null,
      };
    },
    link(named) {
      const link = links.find((one) => one.name === named);
      if (link === undefined) return null;
      const { schema, table, id } = targetOf(link.resource, descriptors);
      const target = descriptors.find((one) => one.name === link.resource);
      const column = columnIn(descriptor, link.field);
      const to = { schema, table, id: id.column };
      if (link.resource === accounts) return { column, to, place: accountPlace };
      return { column, to, place: target === undefined ? null : placeOf(target, descriptors) };
    },
    isUnknown: (named) => fields.some((field) => field.name === named && field.kind === null),
    isInverse: (named) =>
      descriptors.some((from) =>
        linksOf(from).some(({ to, inverse }) => to === name && inverse === named),
      ),
    isComputed: (named) =>
      descriptor.fields.some(
        ({ name: field, options }) => field === named && options.computed !== undefined,
      ),
    isReadOnly: (named) => isReadOnly(allLinks.find((link) => link.name === named)?.field ?? named),
    renamed: (named) => fields.find(({ options }) => options.was === named)?.name ?? null,
  };
}

/** For accounts, conditions can use the id and the name. */
const accountPlace: Place = {
  name: accounts,
  fields: ["id", "name"],
  links: [],
  field: (named) => {
    const known = { field: named, column: named, ...plain } as const;
    if (named === "id") return { ...known, kind: "id", comparisons: "whole", isAccount: true };
    return named === "name" ? { ...known, kind: "string", comparisons: "text" } : null;
  },
  link: () => null,
  isUnknown: () => false,
  isInverse: () => false,
  isComputed: () => false,
  isReadOnly: () => false,
  renamed: () => null,
};
