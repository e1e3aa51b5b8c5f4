import type { Caller } from "../../own-code/index.js";
import { idOrNotFound } from "../record/read.js";
import { purgeRule } from "../table/rule.js";
import type { Table } from "../table/table.js";
import { deleteOf, purgeOf, restoreOf } from "../write/make.js";
import { type OwnResource, write } from "./acting.js";

/** Restores a record from the trash. */
export function restore(own: OwnResource, id: string): Promise<object> {
  const { table } = own.definition;
  checkTrash(table);
  return write(own, "delete", (caller) =>
    restoreOf(table, { caller, id: idOrNotFound(table, id) }),
  );
}

/** Deletes a record; permanently with `trash: "skip"`. */
export async function remove(
  own: OwnResource,
  id: string,
  { trash }: { readonly trash?: "skip" } = {},
): Promise<void> {
  const { table, access } = own.definition;
  if (trash === undefined) {
    const make = (caller: Caller | null) =>
      deleteOf(table, { caller, id: idOrNotFound(table, id), ifMatch: null });
    await write(own, "delete", make);
    return;
  }
  checkTrash(table);
  // The access rule of `purge` replaces that of `delete`.
  const definition = { ...own.definition, access: { ...access, delete: purgeRule(table) } };
  const make = (caller: Caller | null) =>
    purgeOf(table, { caller, id: idOrNotFound(table, id), ifMatch: null });
  await write({ ...own, definition }, "delete", make);
}

function checkTrash({ trash, resource }: Table<never>): void {
  if (trash === undefined) throw new TypeError(`${resource} has no trash`);
}
