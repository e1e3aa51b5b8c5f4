import type { Problem } from "../../runtime/values/problem.js";
import type { ChangeOf } from "../../runtime/values/schema/change-kinds.js";
import type { Schema, Table } from "../../runtime/values/schema/schema.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { defaultOf, type Field, isRequired, kindOf } from "../kind/kinds.js";
import type { Model, Resource } from "../model/model.js";
import { isUsual } from "../model/times.js";
import type { Renames } from "../schema/changes/renames/renames.js";
import { timesOf } from "./changed-times.js";

type Move = ChangeOf<"movePairs">;

/** The model, the schema before its changes, and the renames. */
export interface Around {
  readonly model: Model;
  readonly before: Schema;
  readonly renames: Renames;
}

/** The moves that `from` requires: records into lists of links, or entries of lists into records. */
export interface MovedPairs {
  readonly pairs: readonly Move[];
  readonly problems: readonly Problem[];
}

/**
 * Returns the moves that `from` requires, except those already made and those whose source is not in the schema.
 * Reports a problem if the source is still declared, or does not have exactly one required link to each side.
 */
export function movedPairs(descriptors: readonly Descriptor[], around: Around): MovedPairs {
  const pairs: Move[] = [];
  const problems: Problem[] = [];
  const add = (resource: Resource, path: Path, moved: Move | Mistake | null) => {
    if (moved === null) return;
    if ("kind" in moved) pairs.push(moved);
    else problems.push(...problemAt(descriptors, resource, { path, ...moved }));
  };
  for (const resource of around.model.resources) {
    for (const field of resource.fields) {
      add(resource, ["fields", field.name, "from"], intoEntries(resource, field, around));
    }
    add(resource, ["from"], intoRows(resource, around));
  }
  return { pairs, problems };
}

interface Mistake {
  readonly message: string;
  readonly hint: string;
}

function problemAt(
  descriptors: readonly Descriptor[],
  { name }: Resource,
  issue: Mistake & { readonly path: Path },
): readonly Problem[] {
  return descriptors
    .filter((descriptor) => descriptor.name === name)
    .map(({ source }) => problemOf(source, { at: "value", ...issue }));
}

function intoEntries(resource: Resource, field: Field, around: Around): Move | Mistake | null {
  const { model, before, renames } = around;
  if (!("from" in field) || field.from === null) return null;
  const own = before.tables.find(({ name }) => name === formerName(renames, resource.table));
  const source = before.tables.find((table) => table.resource === field.from);
  const isDone = own?.columns.some(({ field: known }) => known === field.name) ?? true;
  if (isDone || own === undefined || source === undefined) return null;
  if (model.resources.some(({ name }) => name === field.from)) {
    return {
      message: `"from" is "${field.from}", which still exists`,
      hint: `remove resources/${field.from}.yaml: the list takes its place`,
    };
  }
  if (!isUsual(timesOf(source))) return unusualTimes(field.from);
  const { schema, table } = field.target;
  const record = requiredLink(source, { schema: "public", table: own.name });
  const target = requiredLink(source, { schema, table: formerName(renames, table) });
  if (record === null || target === null || record === target) {
    return notOneEach(field.from, [resource.name, field.target.resource]);
  }
  const pairs = { table: source.name, record, target };
  return { kind: "movePairs", table: resource.table, column: field.column, into: "entries", pairs };
}

function intoRows(resource: Resource, { model, before, renames }: Around): Move | Mistake | null {
  const { from } = resource;
  if (from === null) return null;
  const [name = "", list = ""] = from.split(".");
  const source = before.tables.find((table) => table.resource === name);
  const column = source?.columns.find(({ field }) => field === list);
  const isDone = before.tables.some((table) => table.resource === resource.name);
  if (isDone || source === undefined || column?.entries === undefined) return null;
  const table = laterName(renames, source.name);
  const owner = model.resources.find((one) => one.table === table);
  if (owner === undefined) return null;
  if (owner.fields.some((field) => field.name === list)) {
    return {
      message: `"from" is "${from}", which still exists`,
      hint: `remove the field from resources/${owner.name}.yaml: the records take its place`,
    };
  }
  if (!isUsual(resource.times)) return unusualTimes(resource.name);
  const linkTo = (schema: string, to: string) => {
    const links = resource.fields.filter((field) => {
      const link = field.required ? kindOf(field).link(field) : null;
      return link !== null && link.schema === schema && link.table === to;
    });
    return links.length === 1 ? (links[0]?.column ?? null) : null;
  };
  const { entries } = column;
  if (entries.column !== undefined) {
    return {
      message: `"from" is "${from}", a list of files`,
      hint: "name a list of links: files belong to the field to which they were uploaded",
    };
  }
  const record = linkTo("public", table);
  const target = linkTo(entries.schema, laterName(renames, entries.table));
  if (record === null || target === null || record === target) {
    return notOneEach(resource.name, [owner.name, entries.table]);
  }
  const needed = resource.fields.find(
    (field) =>
      isRequired(field) &&
      defaultOf(field) === null &&
      field.computed === null &&
      field.column !== record &&
      field.column !== target,
  );
  if (needed !== undefined) {
    return {
      message: `"from" turns entries into records, but "${needed.name}" is required and has no default`,
      hint: "give it a default, or make it optional",
    };
  }
  const pairs = { table: resource.table, record, target };
  return { kind: "movePairs", table, column: column.name, into: "rows", pairs };
}

function unusualTimes(name: string): Mistake {
  return {
    message: `"from" needs the default columns of createdAt and updatedAt, but "${name}" has others`,
    hint: "write the resource without createdAt and updatedAt, or move the entries in a script",
  };
}

function notOneEach(name: string, sides: readonly [string, string]): Mistake {
  return {
    message: `"${name}" must have exactly one required link to ${sides[0]}, and one to ${sides[1]}`,
    hint: "the entries of a list are pairs of these two",
  };
}

/** Returns the only required link to that table; null if there are none or several. */
function requiredLink(
  { columns }: Table,
  to: { readonly schema: string; readonly table: string },
): string | null {
  const links = columns.filter(
    ({ required, link }) => required && link?.schema === to.schema && link.table === to.table,
  );
  return links.length === 1 ? (links[0]?.name ?? null) : null;
}

function formerName({ tables }: Renames, name: string): string {
  return tables.find(({ to }) => to.name === name)?.table ?? name;
}

function laterName({ tables }: Renames, name: string): string {
  return tables.find(({ table }) => table === name)?.to.name ?? name;
}
