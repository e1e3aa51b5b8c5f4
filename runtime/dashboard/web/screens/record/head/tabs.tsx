import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource, Row } from "../../../api/client/types.js";
import { labelOf, recordPath } from "../../../api/records/descriptors.js";
import { type Around, type Inverse, inversesOf } from "../../../api/records/records.js";
import { Button } from "../../../parts/button/button.js";
import { Menu } from "../../../parts/overlay/menu.js";
import { enHistory } from "../../../text/en/history.js";
import { enRecord } from "../../../text/en/record.js";
import { count } from "../../../text/format.js";

const text = enRecord;

/** The tab of the history: no inverse can have its name. */
export const historyTab = "_history";

/** Maximum number of tabs for inverses; the others are in a menu, except for the open one. */
const most = 6;

/** Tabs for the record's own page and the lists of records that link to it. */
export function Tabs({
  resource,
  record,
  tab,
  counts,
  hasHistory,
}: {
  readonly resource: Resource;
  readonly record: Row;
  readonly tab: string | null;
  readonly counts: Around["counts"];
  readonly hasHistory: boolean;
}) {
  const { resources } = useSession();
  const inverses = inversesOf(resources, resource);
  const [, go] = useLocation();
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab opens
  useEffect(() => {
    const active = document.activeElement;
    // Continue only if the focus was lost because the pressed button is now covered.
    if (active !== document.body && active?.checkVisibility() === true) return;
    bar.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [tab]);
  if (inverses.length === 0 && !hasHistory) return null;
  const path = recordPath(resource.name, record.id);
  const shown = inverses.filter(({ name }, at) => at < most || name === tab);
  const others = inverses.filter((one) => !shown.includes(one));
  const labelled = ({ name, resource: other }: Inverse) => {
    // Several tabs of one resource, or of the record's own, are distinguished by the inverses' names.
    const isAlone = inverses.filter((one) => one.resource === other).length === 1;
    return isAlone && other.name !== resource.name ? other.label : labelOf({ name });
  };
  const countOf = ({ name }: Inverse) => {
    const found = counts[name];
    return found === undefined ? "…" : text.count(found);
  };
  const current = (name: string | null) => (tab === name ? ("page" as const) : undefined);
  return (
    <nav ref={bar} className="tabs" aria-label={resource.singular}>
      <Link href={path} aria-current={current(null)}>
        {text.details}
      </Link>
      {shown.map((one) => (
        <Link key={one.name} href={`${path}/${one.name}`} aria-current={current(one.name)}>
          <bdi>{labelled(one)}</bdi> <span className="count num">{countOf(one)}</span>
        </Link>
      ))}
      {others.length === 0 ? null : (
        <Menu
          label={text.moreTabs}
          button={
            <Button look="quiet" size="small" className="more-tabs" label={text.moreTabs}>
              {text.moreTabsShort(count(others.length))}
            </Button>
          }
          entries={others.map((one) => ({
            id: one.name,
            label: `${labelled(one)} ${countOf(one)}`,
            onAction: () => go(`${path}/${one.name}`),
          }))}
        />
      )}
      {hasHistory ? (
        <Link href={`${path}/${historyTab}`} aria-current={current(historyTab)}>
          {enHistory.tab}
        </Link>
      ) : null}
    </nav>
  );
}
