import type { Table } from "../../resource/index.js";
import type { SeedFile } from "./read.js";

/** Sorts the files so that the targets of links come first, unless links form a cycle. */
export function targetsFirst(files: readonly SeedFile[]): readonly SeedFile[] {
  const byTable = new Map<Table<never>, SeedFile>(
    files.map((file) => [file.definition.table, file]),
  );
  const ordered = new Set<SeedFile>();
  const begun = new Set<SeedFile>();
  const add = (file: SeedFile) => {
    if (begun.has(file)) return;
    begun.add(file);
    for (const link of Object.values(file.definition.table.links ?? {})) {
      const table = link.table?.();
      const target = table === undefined ? undefined : byTable.get(table);
      if (target !== undefined) add(target);
    }
    ordered.add(file);
  };
  files.forEach(add);
  return [...ordered];
}
