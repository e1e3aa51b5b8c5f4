import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { may } from "../../api/records/descriptors.js";
import { totalsQuery } from "../../api/records/numbers.js";
import { statsQuery } from "../../api/records/queries.js";
import { usedResources } from "../../browser/storage/recent.js";
import { screen } from "../../parts/page/screen.js";
import { en } from "../../text/en/en.js";
import { enHome } from "../../text/en/home/home.js";
import { FeaturedResource } from "./featured-resource.js";
import { ofInterest, ranked } from "./ranking.js";
import { Tile } from "./tile.js";

const Begin = screen<object>(() => import("./begin.js"), null);

/** Maximum number of tiles. */
const most = 5;
/**
 * Maximum number of resources requested: an app with a hundred empty resources does not request all of them at start.
 */
const maxRequested = 25;

/** Numbers of the most relevant resources, and one of them in more detail. Resources without records are left out. */
export function Numbers({ days }: { readonly days: number }) {
  const { user, resources } = useSession();
  const [order] = useState(() => usedResources(user.id));
  const open = ranked(counted(resources), order).slice(0, maxRequested);
  const [limit, setLimit] = useState(most);
  const answers = useQueries({
    queries: open
      .slice(0, limit)
      .map((one) => statsQuery(user.id, one.name, totalsQuery(days, one))),
  });
  const isEmpty = (at: number) => answers[at]?.data?.total === 0;
  const empties = answers.filter((_, at) => isEmpty(at)).length;
  const isWhole = limit >= open.length || limit >= most + empties;
  if (!isWhole) setLimit(most + empties);
  // Displayed together: an empty tile that disappears would shift those after it.
  const isComing = !isWhole || answers.some(({ isPending }) => isPending);
  const shown = open
    .slice(0, limit)
    .flatMap((resource, at) => (isEmpty(at) ? [] : [{ resource, answer: answers[at] }]))
    .slice(0, most);
  if (isComing) return <Coming />;
  const [first] = shown;
  if (first === undefined) return <Begin />;
  return (
    <>
      <section aria-labelledby="resources">
        <h2 className="hidden" id="resources">
          {enHome.resources}
        </h2>
        <ul className="tiles">
          {shown.map(({ resource, answer }) => (
            <li key={resource.name}>
              <Tile
                resource={resource}
                days={days}
                stats={answer?.data}
                isFailed={answer?.isError === true}
              />
            </li>
          ))}
        </ul>
      </section>
      <FeaturedResource days={days} usual={first.resource.name} />
    </>
  );
}

/** The resources worth counting. */
function counted(resources: readonly Resource[]): readonly Resource[] {
  return ofInterest(resources).filter((one) => may(one, "stats"));
}

/** Placeholders for the tiles and for what is below them, so that nothing moves when they load. */
export function Coming() {
  const { resources } = useSession();
  const tiles = Math.min(most, counted(resources).length);
  return (
    <div role="status" className="stack">
      <span className="hidden">{en.common.loading}</span>
      <ul className="tiles" aria-hidden="true">
        {Array.from({ length: tiles }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity
          <li key={at}>
            <span className="card tile" />
          </li>
        ))}
      </ul>
      <span className="featured" aria-hidden="true" />
    </div>
  );
}
