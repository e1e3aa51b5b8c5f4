import type { Total } from "../api/client/pages.js";
import { count, listed } from "../text/format.js";

/** Shows the number of items in each state in a line: `3 waiting, 1 running and 40 failed`. */
export function Totals<State extends string>({
  totals,
  words,
}: {
  /** Undefined while the items are counted. */
  readonly totals: readonly (Total & { readonly state: State })[] | undefined;
  readonly words: Readonly<Record<State, string>>;
}) {
  const parts = (totals ?? []).map(
    ({ state, count: many, isPart }) => `${count(many)}${isPart ? "+" : ""} ${words[state]}`,
  );
  return <p className="small muted grow">{totals === undefined ? "…" : listed(parts, "and")}</p>;
}
