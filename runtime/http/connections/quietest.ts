import { type Connection, isAtWork } from "./connection.js";

/**
 * The connections on which nothing has moved for longest, up to that many. One whose client waits for an answer, or
 * that has not been checked yet, is none of them.
 */
export function quietest(connections: Iterable<Connection>, count: number): readonly Connection[] {
  const quiet = [...connections].filter(({ seen }) => seen.quiet !== null);
  const since = ({ seen }: Connection) => seen.quiet?.at ?? 0;
  return quiet
    .filter((connection) => !isAtWork(connection))
    .toSorted((one, other) => since(one) - since(other))
    .slice(0, count);
}
