import type { WrittenAccess } from "../descriptor/descriptor.js";
import { type Access, type Action, actions } from "../model/model.js";

/** A rule for every action: its own, else that of `read` or `write`, else `signed-in`. */
export function accessOf(written: WrittenAccess): Access {
  const rules = actions.map((action) => [
    action,
    written[action] ?? written[groups[action]] ?? "signed-in",
  ]);
  return Object.fromEntries(rules);
}

const groups: Readonly<Record<Action, "read" | "write">> = {
  list: "read",
  get: "read",
  stats: "read",
  create: "write",
  update: "write",
  delete: "write",
};
