import { useEffect } from "react";
import type { Resource } from "../../api/types.js";
import { rulesOf } from "../../kinds/rules.js";
import { keep, readKept, wordsIn } from "../../place/kept.js";
import { type ListAddress, printList, readList, wholeList } from "../../place/list-address.js";
import { type View, withSearch } from "../../place/views.js";

/** Milliseconds without a change after which a search is remembered. */
const restMs = 2_000;

/** Stores a search that has not changed for a while as a recent one. */
export function useRecent(account: string, resource: string, search: string): void {
  useEffect(() => {
    if (!/(?:^|&)(?:filter\[|days?:|q=)/.test(search)) return;
    const timer = setTimeout(() => {
      const name = `searches:${resource}`;
      keep(account, name, withSearch(readKept(account, name, wordsIn), search));
    }, restMs);
    return () => clearTimeout(timer);
  }, [account, resource, search]);
}

/** Totals that lists have loaded, by account, resource and query; the newest last. */
const known = new Map<string, number>();
/** The most totals that are remembered: enough for the views of a few people. */
const mostKnown = 200;

function know(name: string, total: number): void {
  known.delete(name);
  known.set(name, total);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}

/** The totals of views, where they are known without a request. */
export function useTotals(
  account: string,
  resource: Resource,
  { asked, total }: { readonly asked: ListAddress; readonly total: number | undefined },
): (view: View | null) => number | null {
  const nameOf = ({ q, conditions }: ListAddress) =>
    `${account} ${resource.name}?${printList({ ...wholeList, q, conditions })}`;
  const current = nameOf(asked);
  useEffect(() => {
    if (total !== undefined) know(current, total);
  }, [current, total]);
  return (view) => {
    const wanted = nameOf(
      view === null ? wholeList : readList(view.search, rulesOf(resource)).asked,
    );
    return (wanted === current ? total : known.get(wanted)) ?? null;
  };
}
