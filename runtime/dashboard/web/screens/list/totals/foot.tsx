import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { Resource } from "../../../api/client/types.js";
import { may } from "../../../api/records/descriptors.js";
import type { ListState } from "../list-state.js";
import { TotalsRow } from "./totals-row.js";

/** The properties of a grouped list. */
export interface GroupsProps {
  readonly resource: Resource;
  readonly state: ListState;
}

/**
 * The totals below the rows, if the list shows them. The element changes only with its contents: a new one would render
 * all rows again.
 */
export function useFoot(
  resource: Resource,
  { listing, columns }: Pick<ListState, "listing" | "columns">,
  { hasBoxes }: { readonly hasBoxes: boolean },
): ReactNode {
  const isShown = listing.total !== null && may(resource, "stats");
  const foot = useMemo(
    () =>
      isShown ? (
        <TotalsRow resource={resource} listing={listing} columns={columns} hasBoxes={hasBoxes} />
      ) : null,
    [isShown, resource, listing, columns, hasBoxes],
  );
  // Deferred, so that the totals do not render the rows again while the user types.
  return useDeferredValue(foot);
}
