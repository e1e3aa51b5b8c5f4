import { type Change, tableOf } from "./change.js";

/**
 * Whether servers built before the changes cannot work with the schema after them: their statements
 * name what is gone, or leave out what has become required.
 */
export function isBreaking(changes: readonly Change[]): boolean {
  const created = new Set(
    changes.flatMap((change) => (change.kind === "createTable" ? [change.table.name] : [])),
  );
  return changes.some((change) => !created.has(tableOf(change)) && breaks(change));
}

function breaks(change: Change): boolean {
  switch (change.kind) {
    case "renameTable":
    case "renameColumn":
    case "dropTable":
    case "dropColumn":
    case "replaceColumn":
      return true;
    case "addColumn":
      return change.column.required && change.column.default === null;
    case "setRequired":
      return change.to;
    default:
      return false;
  }
}
