import type { OrderKey } from "../query/order.js";

/** A position in a list: a record's sort values as text; null for empty fields. */
export type Place = readonly (string | null)[];

/**
 * Returns SQL conditions for the rows after a position in an order, and adds the position's values to `values`. No row
 * meets two of the conditions, and rows that meet one precede all that meet the next: each is one range of an index in
 * that order.
 */
export function rowsAfter(
  keys: readonly OrderKey[],
  place: Place,
  values: unknown[],
): readonly string[] {
  const parameters = place.map((value) => (value === null ? null : `$${values.push(value)}`));
  const tied = (before: number) =>
    keys.slice(0, before).map(({ sql, empty }, at) => {
      const parameter = parameters[at] ?? null;
      return parameter === null ? (empty ?? `${sql} is null`) : `${sql} = ${parameter}`;
    });
  const parts: string[][] = [];
  let end = keys.length;
  while (end > 0) {
    // Rows equal to the position in the keys before `start`, and beyond it in the keys from `start` on.
    const start = end === keys.length ? startOfRun(keys, place) : end - 1;
    const compared = keys.slice(start, end).map(({ sql }) => sql);
    const bounds = parameters.slice(start, end);
    const [key] = keys.slice(start, end);
    if (key === undefined) break;
    // Only other empty values follow an empty one.
    if (!bounds.includes(null)) {
      const beyond = key.descending ? "<" : ">";
      parts.push([...tied(start), `(${compared.join(", ")}) ${beyond} (${bounds.join(", ")})`]);
      if (key.empty !== null) parts.push([...tied(start), key.empty]);
    }
    end = start;
  }
  return parts.map((part) => `(${part.join(" and ")})`);
}

/**
 * Returns the index of the first key that a single row comparison can cover together with all following ones. They must
 * be of one table and in one direction, and only the first may be empty. Only the last keys break every tie, so those
 * before them are compared one by one.
 */
function startOfRun(keys: readonly OrderKey[], place: Place): number {
  let start = keys.length - 1;
  for (let at = start - 1; at >= 0; at -= 1) {
    const [one, next] = [keys[at], keys[start]];
    const isSame =
      one?.descending === next?.descending && one?.isOwn === true && next?.isOwn === true;
    if (!isSame || next?.empty !== null || place[at] === null) break;
    start = at;
  }
  return start;
}
