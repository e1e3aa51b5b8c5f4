import { parseHistory } from "../../runtime/values/schema/history/history.js";
import { replay } from "../../runtime/values/schema/history/replay.js";
import { entriesName } from "../../runtime/values/schema/object-names.js";
import { placeOfTable } from "../../runtime/values/sql/table-name.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { findDescriptors } from "../descriptor/find.js";
import { readDescriptors } from "../descriptor/read.js";
import { usualTable } from "../model/names.js";
import { readCurrent } from "../output/current.js";
import { linkNames, listNames } from "../resolve/inverses.js";
import { columnOf } from "../resolve/names/stored.js";
import { relationsOf } from "../resolve/relations.js";
import type { LinkedTable } from "./model/links.js";

/** The app's resources and tables before the adoption. */
export interface Existing {
  readonly resources: ReadonlySet<string>;
  /** The app's tables according to its descriptors and migrations, as descriptors spell them. */
  readonly tables: ReadonlySet<string>;
  /** The resources that links of adopted tables may reference. */
  readonly linked: readonly LinkedTable[];
  readonly adopted: readonly AdoptedResource[];
}

export interface AdoptedResource {
  readonly resource: string;
  /** The table's name as the descriptor spells it. */
  readonly table: string;
  /** Path of the descriptor, relative to the app's folder. */
  readonly path: string;
  /** The columns that appear in the migrations or the descriptor. */
  readonly columns: readonly string[];
}

export function readExisting(root: string): Existing {
  const files = findDescriptors(root);
  const { descriptors } = readDescriptors(files);
  const { schema } = replay(parseHistory(readCurrent(root)));
  const entries = schema.tables.flatMap(({ name, columns }) =>
    columns.flatMap((column) => (column.entries ? [entriesName(name, column.name)] : [])),
  );
  return {
    resources: new Set(files.map(({ path }) => path.replace(/^.*\//, "").replace(/\.[^.]+$/, ""))),
    tables: new Set([
      ...descriptors.map(({ name, table }) => table ?? usualTable(name)),
      ...descriptors.flatMap(({ fields }) => fields.flatMap(joinTable)),
      ...schema.tables.map(({ name }) => name),
      ...entries,
    ]),
    linked: descriptors.map((descriptor) => ({
      table: placeOfTable(descriptor.table ?? usualTable(descriptor.name)),
      resource: descriptor.name,
      keyColumn: descriptor.id.column,
      words: wordsOn(descriptor, descriptors),
    })),
    adopted: schema.tables.flatMap(({ name: table, resource, adopted }) => {
      const descriptor = descriptors.find(({ name }) => name === resource);
      if (adopted === undefined || descriptor === undefined) return [];
      return [
        {
          resource,
          table,
          path: descriptor.source.file,
          columns: [
            ...adopted.map(({ name: column }) => column),
            ...descriptor.fields.map((field) => columnOf(field)),
          ],
        },
      ];
    }),
  };
}

/** Returns the join table of a field with links, if any. */
function joinTable({ options }: FieldDescriptor): readonly string[] {
  const through = options.through as { readonly table?: unknown } | undefined;
  return typeof through?.table === "string" ? [through.table] : [];
}

/**
 * Returns the property names of the resource's records: fields, linked records, and lists of records that link to them.
 */
function wordsOn(descriptor: Descriptor, all: readonly Descriptor[]): readonly string[] {
  const names = [...linkNames(descriptor), ...listNames(descriptor)].map(({ name }) => name);
  const inverses = all.flatMap(relationsOf).filter(({ to }) => to === descriptor.name);
  return [
    ...descriptor.fields.map(({ name }) => name),
    ...names,
    ...inverses.flatMap(({ inverse }) => inverse ?? []),
  ];
}
