import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client/client.js";
import type { KnownResource } from "../../../api/records/records.js";
import { linksTo } from "../../../api/records/records.js";
import { type Dependant, mayCount } from "../../../form/dependants.js";
import type { Selection } from "../rows/selection.js";
import { chunksOf } from "./selected-records.js";

/** Maximum number of records whose dependants are counted; it needs a hundred requests per link. */
export const mostCounted = 10_000;

/** The records that link to the selected ones, if there are any. */
export interface Dependants {
  readonly found: readonly Dependant[];
  /** Whether only some were counted, because there were too many records. */
  readonly isPart: boolean;
}

export function dependantsOfQuery(
  { account, resources, resource }: KnownResource,
  selection: Selection,
) {
  return queryOptions({
    queryKey: [account, "counted", resource.name, "dependants", selection],
    queryFn: ({ signal }) => countDependants({ resources, resource }, selection, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function countDependants(
  { resources, resource }: Omit<KnownResource, "account">,
  selection: Selection,
  signal: AbortSignal,
): Promise<Dependants> {
  const links = linksTo(resources, resource).filter(mayCount);
  const totals = links.map(() => 0);
  let seen = 0;
  if (links.length === 0) return { found: [], isPart: false };
  for await (const rows of chunksOf(resource, selection, (work) => work())) {
    if (seen >= mostCounted) return { found: foundOf(), isPart: true };
    signal.throwIfAborted();
    seen += rows.length;
    const ids = rows.map(({ id }) => id).join(",");
    for (const [at, link] of links.entries()) {
      const query = new URLSearchParams({ [`filter[${link.field.name}][in]`]: ids });
      const path = `/${link.resource.name}/_stats?${query}`;
      const { total } = await call<{ total: number }>("GET", path, { signal });
      totals[at] = (totals[at] ?? 0) + total;
    }
  }
  return { found: foundOf(), isPart: false };

  function foundOf(): readonly Dependant[] {
    return links
      .map((link, at) => ({ ...link, total: totals[at] ?? 0 }))
      .filter(({ total }) => total > 0);
  }
}
