import { StartRefused } from "../../errors/index.js";
import type { ResourceDefinition } from "../../resource/index.js";
import { clientName } from "../../values/api/client-name.js";

/**
 * Indexes functions by resource. Names of `app.resources` are accepted too (`orderItems` for `order-items`); throws a
 * start error if both names of a resource are used. Unknown names are left for `refuseUnreachableCode`.
 */
export function byResource<Own extends object>(
  option: "policies" | "hooks" | "guards",
  own: Own,
  definitions: readonly ResourceDefinition[],
): Own {
  const names = new Set(definitions.map(({ table }) => table.resource));
  const named = [...names].map((name) => [clientName(name), name] as const);
  const resourceOf = new Map(named.filter(([client]) => !names.has(client)));
  const given = Object.entries(own).filter(([, functions]) => functions !== undefined);
  const keys = new Set(given.map(([name]) => name));
  const twice = given.filter(([name]) => keys.has(resourceOf.get(name) ?? ""));
  if (twice.length > 0) {
    throw new StartRefused(
      ...twice.map(([name]) => ({
        message: `${option}: "${name}" and "${resourceOf.get(name)}" are the same resource`,
        hint: "put the functions of both into one of them",
      })),
    );
  }
  return Object.fromEntries(
    given.map(([name, functions]) => [resourceOf.get(name) ?? name, functions]),
  ) as Own;
}
