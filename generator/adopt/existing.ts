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

/** What an app has before it adopts anything. */
export interface Existing {
  /** Names of its resources. */
  readonly resources: ReadonlySet<string>;
  /** Its tables as descriptors spell them, by these and by its migrations. */
  readonly tables: ReadonlySet<string>;
  /** The resources, as links of adopted tables may lead to them. */
  readonly linked: readonly LinkedTable[];
  /** The resources whose tables are adopted. */
  readonly adopted: readonly AdoptedResource[];
}

export interface AdoptedResource {
  readonly resource: string;
  /** As the descriptor spells it. */
  readonly table: string;
  /** The descriptor, relative to the app's folder. */
  readonly path: string;
  /** The columns that its migrations or its descriptor know of. */
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

/** The table that has the links of a field. */
function joinTable({ options }: FieldDescriptor): readonly string[] {
  const through = options.through as { readonly table?: unknown } | undefined;
  return typeof through?.table === "string" ? [through.table] : [];
}

/** The keys of its records, the records that they link to, and those that link to them. */
function wordsOn(descriptor: Descriptor, all: readonly Descriptor[]): readonly string[] {
  const names = [...linkNames(descriptor), ...listNames(descriptor)].map(({ name }) => name);
  const inverses = all.flatMap(relationsOf).filter(({ to }) => to === descriptor.name);
  return [
    ...descriptor.fields.map(({ name }) => name),
    ...names,
    ...inverses.flatMap(({ inverse }) => inverse ?? []),
  ];
}
