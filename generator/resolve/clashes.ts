import { detailsKey } from "../../runtime/values/files/details-key.js";
import type { Problem } from "../../runtime/values/problem.js";
import { usualId } from "../../runtime/values/schema/id-types.js";
import { entriesName } from "../../runtime/values/schema/object-names.js";
import { usualTimes } from "../../runtime/values/schema/record-times.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import { fieldNamePattern, resourceNamePattern } from "../kind/field.js";
import { namesOf } from "../model/names.js";
import { fixedOperations, resourceOperations, uploadOperation } from "../model/operations.js";
import { reservedResourceHint } from "../model/reserved-names.js";
import { isSystemColumn } from "../text/reserved-words.js";
import { columnIn, columnOf } from "./names/stored.js";
import { listsOf } from "./relations.js";

/** Returns problems with resources whose name is reserved, or yields the same name in SQL or code as another's. */
export function resourceClashes(descriptors: readonly Descriptor[]): readonly Problem[] {
  const tables = new Map<string, Stored>();
  const types = new Map<string, Descriptor>();
  return descriptors
    .filter(({ name }) => resourceNamePattern.test(name))
    .flatMap((descriptor) => {
      const { type, variable } = namesOf(descriptor);
      const ofTables = storedOf(descriptor).flatMap((one) => {
        const first = firstOf(tables, [one.table], one);
        return first === null ? [] : [sameTable(first, one)];
      });
      const ofType = firstOf(types, [type, variable], descriptor);
      const issues = [
        ...reservedResource(descriptor.name),
        ...ofTables,
        ...(ofType === null ? [] : [sameType(ofType, type)]),
      ];
      return issues.map((issue) => problemOf(descriptor.source, issue));
    });
}

/** Returns problems with resources and file fields whose operations would have the same id as another operation. */
export function operationClashes(descriptors: readonly Descriptor[]): readonly Problem[] {
  const service = { file: "the service itself", type: "" };
  const owners = new Map(fixedOperations().map((id) => [id, service]));
  const sound = descriptors.filter(({ name }) => resourceNamePattern.test(name));
  return sound.flatMap((descriptor) => {
    const self = { file: descriptor.source.file, type: namesOf(descriptor).type };
    const issues = operationsOf(descriptor).flatMap(({ id, path }) => {
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, self);
      // Two resources with the same type name are reported separately.
      const isClash = owner !== undefined && owner !== self && owner.type !== self.type;
      return isClash ? [sameOperation(path, id, owner.file)] : [];
    });
    return issues.slice(0, 1).map((issue) => problemOf(descriptor.source, issue));
  });
}

/** Returns the operation ids, each with its origin in the descriptor. */
function operationsOf(
  descriptor: Descriptor,
): readonly { readonly id: string; readonly path: Path }[] {
  const { name, fields, changes, trash } = descriptor;
  const { type } = namesOf(descriptor);
  const { uploads: _, ...ids } = resourceOperations({ name, type, fields: [], changes, trash });
  const files = fields.filter(({ kind }) => kind?.isFile === true);
  return [
    ...Object.values(ids).map((id) => ({ id, path: ["singular"] })),
    ...files.map((field) => ({
      id: uploadOperation(type, field.name),
      path: ["fields", field.name],
    })),
  ];
}

function sameOperation(path: Path, id: string, owner: string): DescriptorIssue {
  const isField = path.length > 1;
  const name = isField ? `"${path.at(-1)}"` : 'the "singular" of this resource';
  const message = `${name} gives an operation in openapi.json the id ${id}, which ${owner} already uses`;
  const hint = isField ? "choose another name" : "rename the file, or give it another singular";
  return { path, at: isField ? "key" : "value", message, hint };
}

/**
 * Returns problems with fields that have the name of a property or column of every record, or the same column as
 * another field.
 */
export function fieldClashes({ fields, source, trash, times, id }: Descriptor): readonly Problem[] {
  const columns = new Map<string, FieldDescriptor>();
  return fields
    .filter(({ name }) => fieldNamePattern.test(name))
    .flatMap((field) => {
      const column = columnOf(field);
      const first = firstOf(columns, [column], field);
      const message =
        reservedField(field.name, column, { id, times }) ??
        (trash === null ? null : trashField(field.name, column)) ??
        detailsField(field.name, fields) ??
        (first === null
          ? null
          : `"${field.name}" has the column ${column}, which "${first.name}" already has`);
      return message === null ? [] : [problemOf(source, fieldIssue(field.name, message))];
    });
}

/**
 * Returns the value already stored under one of the keys, or null. Stores that value, or else the new one, under all
 * keys.
 */
function firstOf<T>(seen: Map<string, T>, keys: readonly string[], value: T): T | null {
  const first = keys.map((key) => seen.get(key)).find((found) => found !== undefined);
  for (const key of keys) {
    seen.set(key, first ?? value);
  }
  return first ?? null;
}

function reservedResource(name: string): readonly DescriptorIssue[] {
  const hint = reservedResourceHint(name);
  if (hint === null) {
    return [];
  }
  const message = `a resource cannot have the name "${name}"`;
  return [{ path: [], at: "value", message, hint }];
}

/** A table that a descriptor defines. */
interface Stored {
  readonly table: string;
  readonly file: string;
  /** The list whose entries the table contains; null if it contains the records. */
  readonly list: string | null;
}

/** The tables of the records and of the entries of lists. */
function storedOf(descriptor: Descriptor): readonly Stored[] {
  const { fields, source } = descriptor;
  const { table } = namesOf(descriptor);
  const files = fields.filter(({ kind }) => kind?.isFile && kind.isList);
  const lists = [
    ...listsOf(descriptor).map(({ field }) => field),
    ...files.map(({ name }) => name),
  ];
  return [
    { table, file: source.file, list: null },
    ...lists.map((list) => ({
      table: entriesName(table, columnIn(descriptor, list)),
      file: source.file,
      list,
    })),
  ];
}

function sameTable(first: Stored, { table, list }: Stored): DescriptorIssue {
  const other =
    first.list === null ? first.file : `the entries of "${first.list}" in ${first.file}`;
  if (list === null) {
    const message = `the table name ${table} of this resource is already taken by ${other}`;
    return { path: [], at: "value", message, hint: "rename one of the two files" };
  }
  const message = `the table name ${table} for the entries of "${list}" is already taken by ${other}`;
  return { path: ["fields", list], at: "key", message, hint: "choose another name" };
}

function sameType({ source }: Descriptor, type: string): DescriptorIssue {
  const message = `the "singular" of this resource gives the type name ${type}, which ${source.file} already uses`;
  const hint = "give one of the two another singular";
  return { path: ["singular"], at: "value", message, hint };
}

function reservedField(
  name: string,
  column: string,
  { id, times }: Pick<Descriptor, "id" | "times">,
): string | null {
  const ownColumn = [id.column, times.createdAt, times.updatedAt].find((own) => own === column);
  if (["id", "createdAt", "updatedAt"].includes(name)) {
    return `every record already has "${name}"`;
  }
  if (typeof ownColumn === "string") {
    const isUsual = [usualId.column, ...Object.values(usualTimes)].includes(ownColumn);
    const owner =
      ownColumn === id.column ? "id" : ownColumn === times.createdAt ? "createdAt" : "updatedAt";
    const whose = isUsual ? "which every table already has" : `the same as that of "${owner}"`;
    return `the column of "${name}" is ${column}, ${whose}`;
  }
  if (column === usualTimes.updatedAt) {
    return `the column of "${name}" is ${column}, which every update of a row sets`;
  }
  return isSystemColumn(column) ? `PostgreSQL reserves the column ${column} of "${name}"` : null;
}

/**
 * Returns the problem of a field name that records in the trash use for an additional property; null if there is none.
 */
function trashField(name: string, column: string): string | null {
  const isTaken = ["deleted_at", "deleted_by"].includes(column);
  return isTaken ? `records in the trash already have "${name}"` : null;
}

/**
 * Returns the problem of a field `imageFile` next to the file `image`, or `photosFiles` next to `photos`: records have
 * these properties.
 */
function detailsField(name: string, fields: readonly FieldDescriptor[]): string | null {
  const owner = fields.find(
    (field) => field.kind?.isFile && detailsKey(field.name, field.kind) === name,
  );
  return owner === undefined
    ? null
    : `records already have the details of "${owner.name}" as "${name}"`;
}

function fieldIssue(name: string, message: string): DescriptorIssue {
  return { path: ["fields", name], at: "key", message, hint: "choose another name" };
}
