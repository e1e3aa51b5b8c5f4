import { foldText } from "../../runtime/values/text.js";
import type { Json } from "./http/client.js";

/** A record with any keys. */
export type Record = { readonly [key: string]: Json };

/** Settings of a resource in its descriptor. */
export interface Described {
  readonly name: string;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly resource?: string;
    readonly inverse?: string;
    readonly values?: readonly string[];
  }[];
}

/** The other end of a link, or of several that lead here. */
export interface Relation {
  readonly name: string;
  readonly resource: string;
  readonly isInverse: boolean;
  /** Linked records. */
  from(record: Record): readonly Record[];
}

/** All records of an app, and the answers to queries about them, in plain JavaScript. */
export interface Model {
  rowsOf(resource: string): readonly Record[];
  relationsOf(resource: string): readonly Relation[];
  fieldsOf(resource: string): Described["fields"];
  fulfils(resource: string, record: Record, where: Record): boolean;
  sorted(resource: string, records: readonly Record[], sort: readonly string[]): Record[];
  /** With included records after its own members. */
  shown(resource: string, record: Record, include: Includes): Record;
}

export interface Included {
  readonly fields?: readonly string[];
  readonly sort?: readonly string[];
  readonly perPage?: number;
  readonly where?: Record;
  readonly count?: boolean;
  readonly include?: Includes;
}

export interface Includes {
  readonly [name: string]: Included;
}

interface Reached {
  readonly field: Described["fields"][number] | undefined;
  read(record: Record): Json;
}

const collator = new Intl.Collator("en");
const times = [
  { name: "createdAt", type: "timestamp", required: true },
  { name: "updatedAt", type: "timestamp", required: true },
];

export function newModel(
  described: readonly Described[],
  rows: ReadonlyMap<string, readonly Record[]>,
): Model {
  const rowsOf = (resource: string) => rows.get(resource) ?? [];
  const fieldsOf = (resource: string): Described["fields"] => {
    const own = described.find(({ name }) => name === resource)?.fields;
    const id = { name: "id", type: "id", required: true };
    if (own === undefined) return [id, { name: "name", type: "string", required: true }];
    return [id, ...own, ...times];
  };

  function relationsOf(resource: string): readonly Relation[] {
    const links = fieldsOf(resource).flatMap(({ name, resource: to }): Relation[] => {
      if (to === undefined) return [];
      const from = (record: Record) => rowsOf(to).filter(({ id }) => id === record[name]);
      return [{ name: name.replace(/Id$/, ""), resource: to, isInverse: false, from }];
    });
    const inverses = described.flatMap((other) =>
      other.fields.flatMap(({ name, resource: to, inverse }): Relation[] => {
        if (to !== resource || inverse === undefined) return [];
        const from = ({ id }: Record) => rowsOf(other.name).filter((row) => row[name] === id);
        return [{ name: inverse, resource: other.name, isInverse: true, from }];
      }),
    );
    return [...links, ...inverses];
  }

  function fulfils(resource: string, record: Record, where: Record): boolean {
    return Object.entries(where).every(([key, wanted]) => {
      if (key === "and") return list(wanted).every((part) => fulfils(resource, record, part));
      if (key === "or") return list(wanted).some((part) => fulfils(resource, record, part));
      if (key === "not") return !fulfils(resource, record, wanted as Record);
      const field = key.replace(/^field:/, "");
      const relation = relationsOf(resource).find(({ name }) => name === key);
      if (relation !== undefined) return leadsTo(relation, record, wanted as Record);
      return holds(typeOf(resource, field), record[field] ?? null, wanted);
    });
  }

  function leadsTo(relation: Relation, record: Record, wanted: Record): boolean {
    const { resource, isInverse } = relation;
    const others = relation.from(record);
    const some = (where: Json) => others.some((row) => fulfils(resource, row, where as Record));
    if (!isInverse) return some(wanted);
    return Object.entries(wanted).every(([word, where]) => some(where) === (word === "some"));
  }

  function typeOf(resource: string, field: string): string {
    return fieldsOf(resource).find(({ name }) => name === field)?.type ?? "";
  }

  function sorted(resource: string, records: readonly Record[], sort: readonly string[]) {
    const keys = sort.map((written) => {
      const path = written.replace(/^-/, "").split(".");
      const { field, read } = at(resource, path);
      return { field, read, sign: written.startsWith("-") ? -1 : 1 };
    });
    const last = keys.at(-1)?.sign ?? 1;
    return records.toSorted((a, b) => {
      for (const { field, read, sign } of keys) {
        const [left, right] = [read(a), read(b)];
        if (left === null || right === null) {
          if (left !== right) return left === null ? 1 : -1;
          continue;
        }
        const order = field?.values
          ? field.values.indexOf(String(left)) - field.values.indexOf(String(right))
          : compare(field?.type ?? "", left, right);
        if (order !== 0) return order * sign;
      }
      return compare("id", a.id ?? null, b.id ?? null) * last;
    });
  }

  /** The field behind links, and its value for a record; null if a link leads to nothing. */
  function at(resource: string, [name = "", ...path]: readonly string[]): Reached {
    const field = fieldsOf(resource).find((one) => one.name === name);
    if (path.length === 0) return { field, read: (record) => record[name] ?? null };
    const relation = relationsOf(resource).find((one) => one.name === name);
    if (relation === undefined) throw new Error(`no relation ${name}`);
    const next = at(relation.resource, path);
    const linked = (record: Record) => relation.from(record)[0];
    return { ...next, read: (record) => next.read(linked(record) ?? {}) };
  }

  function shown(resource: string, record: Record, include: Includes): Record {
    const added = Object.entries(include).map(([name, options]): [string, Json] => {
      const relation = relationsOf(resource).find((one) => one.name === name);
      if (relation === undefined) throw new Error(`no relation ${name}`);
      const { fields, sort = ["createdAt"], perPage = 10, where = {}, count = false } = options;
      const meant = relation.from(record).filter((row) => fulfils(relation.resource, row, where));
      const parts = sorted(relation.resource, meant, sort).map((row) => ({
        ...part(relation.resource, row, fields),
        ...inside(relation.resource, row, options.include ?? {}),
      }));
      if (!relation.isInverse) return [name, parts[0] ?? null];
      if (perPage === 0) return [name, { count: parts.length }];
      const page = { data: parts.slice(0, perPage), more: parts.length > perPage };
      return [name, count ? { ...page, count: parts.length } : page];
    });
    return { ...record, ...Object.fromEntries(added) };
  }

  /** Included records of a record, without its own members. */
  function inside(resource: string, row: Record, include: Includes): Record {
    const whole = shown(resource, row, include);
    return Object.fromEntries(
      Object.entries(whole).filter(([name]) => Object.hasOwn(include, name)),
    );
  }

  function part(resource: string, row: Record, fields?: readonly string[]): Record {
    const texts = fieldsOf(resource).filter(({ type }) => type === "text");
    const kept =
      fields ?? Object.keys(row).filter((key) => texts.every(({ name }) => name !== key));
    return Object.fromEntries(
      Object.entries(row).filter(([key]) => key === "id" || kept.includes(key)),
    );
  }

  return { rowsOf, relationsOf, fieldsOf, fulfils, sorted, shown };
}

/** Sort keys of a resource's lists, over exactly this number of links. */
export function sortedNames(model: Model, resource: string, links: number): readonly string[] {
  if (links === 0) {
    const sorted = model
      .fieldsOf(resource)
      .filter(({ type }) => !["text", "image", "file"].includes(type));
    return sorted.map(({ name }) => name);
  }
  const further = model.relationsOf(resource).filter(({ isInverse }) => !isInverse);
  return further.flatMap(({ name, resource: to }) =>
    sortedNames(model, to, links - 1).map((field) => `${name}.${field}`),
  );
}

function list(value: Json | undefined): readonly Record[] {
  return value as readonly Record[];
}

/** Strings in collation order, and then by their bytes. */
function compare(type: string, left: Json, right: Json): number {
  const [a, b] = [left as string, right as string];
  const bytes = a === b ? 0 : a < b ? -1 : 1;
  return type === "string" ? collator.compare(a, b) || bytes : bytes;
}

function holds(type: string, value: Json, wanted: Json | undefined): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  return Object.entries(wanted).every(([operator, operand]) =>
    compares(type, value, operator, operand),
  );
}

function compares(type: string, value: Json, operator: string, operand: Json): boolean {
  if (operator === "ne") return value !== operand;
  if (operator === "in") return (operand as readonly Json[]).includes(value);
  if (operator === "nin") return !(operand as readonly Json[]).includes(value);
  if (value === null) return false;
  const order = compare(type, value, operand);
  const [text, part] = [foldText(String(value)), foldText(String(operand))];
  switch (operator) {
    case "gt":
      return order > 0;
    case "gte":
      return order >= 0;
    case "lt":
      return order < 0;
    case "lte":
      return order <= 0;
    case "contains":
      return text.includes(part);
    case "starts":
      return text.startsWith(part);
    default:
      return text.endsWith(part);
  }
}
