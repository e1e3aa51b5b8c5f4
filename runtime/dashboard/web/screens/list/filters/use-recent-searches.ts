import { useEffect } from "react";
import { keep, readKept, wordsIn } from "../../../browser/storage/kept.js";
import { withSearch } from "../../../browser/storage/views.js";

/** A search is stored after this time without a change, in milliseconds. */
const restMs = 2_000;

/** Stores a search that has not changed for a while as a recent one. */
export function useRecentSearches(account: string, resource: string, search: string): void {
  useEffect(() => {
    if (!/(?:^|&)(?:filter\[|days?:|q=)/.test(search)) return;
    const timer = setTimeout(() => {
      const name = `searches:${resource}`;
      keep(account, name, withSearch(readKept(account, name, wordsIn), search));
    }, restMs);
    return () => clearTimeout(timer);
  }, [account, resource, search]);
}
