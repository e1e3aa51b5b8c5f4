import { type Connection, isAtWork } from "./connection.js";

/**
 * Returns up to `count` connections that have been quiet longest, except those that have not been checked yet, or whose
 * clients wait for a response.
 */
export function quietest(connections: Iterable<Connection>, count: number): readonly Connection[] {
  const quiet = [...connections].filter(({ seen }) => seen.quiet !== null);
  const since = ({ seen }: Connection) => seen.quiet?.at ?? 0;
  return quiet
    .filter((connection) => !isAtWork(connection))
    .toSorted((one, other) => since(one) - since(other))
    .slice(0, count);
}
