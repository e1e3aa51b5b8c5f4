import type { Action, Table } from "../table/table.js";
import { Latest } from "./latest.js";
import { onceFor } from "./once-for.js";

/**
 * The maximum number of views to cache per table: an app has few roles, but a role can be any text.
 */
const maxKept = 100;

type Derive<View> = (table: Table<never>, action: Action, role: string | null) => View;

/** Derives a view once per table, action and role, so that its statements keep their texts and stay prepared. */
export function byRole<View>(derive: Derive<View>): Derive<View> {
  const viewsOf = onceFor((_: Table<never>) => new Latest<View>(maxKept));
  return (table, action, role) =>
    viewsOf(table).get(JSON.stringify([action, role]), () => derive(table, action, role));
}
