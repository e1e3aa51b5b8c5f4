import { useEffect } from "react";
import type { Resource } from "../../api/client/types.js";
import {
  type ListAddress,
  printList,
  readList,
  wholeList,
} from "../../browser/address/list-address.js";
import type { View } from "../../browser/storage/views.js";
import { rulesOf } from "../../kinds/query/list-rules.js";

/** Totals that lists have loaded, by account, resource and query; newest last. */
const known = new Map<string, number>();
/** Maximum number of cached totals: enough for the views of a few users. */
const mostKnown = 200;

function know(name: string, total: number): void {
  known.delete(name);
  known.set(name, total);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}

/** The cached totals of views, without any request. */
export function useKnownTotals(
  account: string,
  resource: Resource,
  { listing, total }: { readonly listing: ListAddress; readonly total: number | undefined },
): (view: View | null) => number | null {
  const nameOf = ({ q, conditions }: ListAddress) =>
    `${account} ${resource.name}?${printList({ ...wholeList, q, conditions })}`;
  const current = nameOf(listing);
  useEffect(() => {
    if (total !== undefined) know(current, total);
  }, [current, total]);
  return (view) => {
    const wanted = nameOf(
      view === null ? wholeList : readList(view.search, rulesOf(resource)).listing,
    );
    return (wanted === current ? total : known.get(wanted)) ?? null;
  };
}
