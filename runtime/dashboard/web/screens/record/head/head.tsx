import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource, Row } from "../../../api/client/types.js";
import {
  altOf,
  fileOf,
  filePath,
  labelOf,
  listPath,
  may,
  recordPath,
  thing,
} from "../../../api/records/descriptors.js";
import { type Around, inversesOf, type Version } from "../../../api/records/records.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { Menu } from "../../../parts/overlay/menu.js";
import { Title } from "../../../parts/page/page.js";
import { PublicNote } from "../../../rules/public-note.js";
import { en } from "../../../text/en/en.js";
import { enHistory } from "../../../text/en/history.js";
import { enRecord } from "../../../text/en/record.js";
import { Crumbs } from "./crumbs.js";
import { Deletion } from "./deletion.js";
import { useNeighbours } from "./use-neighbours.js";
import { useRecordKeys } from "./use-record-keys.js";

const text = enRecord;

export interface HeadProps {
  readonly resource: Resource;
  readonly version: Version;
  readonly title: string;
  readonly tab: string | null;
  readonly counts: Around["counts"];
  readonly mayDelete: boolean;
  /** Whether the record has a history that may be offered. */
  readonly hasHistory: boolean;
  readonly links: Around["links"];
}

/** The tab of the history: no inverse can have its name. */
export const historyTab = "_history";

/** The head of a record's page: its title, the actions for the whole record, and its tabs. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one head, whose menu and tabs share its state
export function Head(props: HeadProps) {
  const { resource, version, title, tab, counts, links, mayDelete, hasHistory } = props;
  const { record } = version;
  const [, go] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { before, after } = useNeighbours(resource, record.id);
  const picture = resource.fields.find((field) => kindOf(field).isPicture);
  const details = picture === undefined ? null : fileOf(picture, record);
  const open = (id: string) => go(recordPath(resource.name, id));
  useRecordKeys({ before, after, open });
  const duplicate = () => go(`${listPath(resource)}/new?copy=${record.id}`);
  // On phones the arrows have no room beside the title.
  const neighbour = (id: string | undefined, label: string) =>
    id === undefined ? [] : [{ id: label, label, onAction: () => open(id) }];
  const entries = [
    ...neighbour(before, text.previous(thing(resource))),
    ...neighbour(after, text.next(thing(resource))),
    ...(may(resource, "create")
      ? [
          {
            id: "duplicate",
            label: text.duplicate,
            onAction: duplicate,
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: "delete",
            label: text.delete,
            look: "danger" as const,
            onAction: () => setDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className="top">
        <div className="row grow">
          {details === null ? null : (
            <img
              className="thumb big"
              src={filePath(details, "thumb")}
              alt={(picture && altOf(picture, record)) ?? ""}
            />
          )}
          <div className="grow">
            <Crumbs
              resource={resource}
              id={record.id}
              idIn={(field) => record[field]}
              linkedBy={(field) => links[field]}
            />
            <div className="cut-title">
              <Title>{title}</Title>
            </div>
            <PublicNote resource={resource} />
          </div>
        </div>
        <div className="row">
          {before === undefined && after === undefined ? null : (
            <span className="row only-wide">
              <Neighbour id={before} icon="up" name={text.previous(thing(resource))} open={open} />
              <Neighbour id={after} icon="down" name={text.next(thing(resource))} open={open} />
            </span>
          )}
          {may(resource, "create") ? (
            <span className="only-wide">
              <Button onPress={duplicate}>{text.duplicate}</Button>
            </span>
          ) : null}
          {entries.length === 0 ? null : (
            <Menu
              label={text.more}
              button={<Button icon="more" label={text.more} />}
              entries={entries}
            />
          )}
        </div>
      </div>
      <Tabs resource={resource} record={record} tab={tab} counts={counts} hasHistory={hasHistory} />
      {isDeleting ? (
        <Deletion
          resource={resource}
          version={version}
          title={title}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </>
  );
}

function Neighbour({
  id,
  icon,
  name,
  open,
}: {
  readonly id: string | undefined;
  readonly icon: "up" | "down";
  readonly name: string;
  readonly open: (id: string) => void;
}) {
  const barred = id === undefined ? { barred: en.frame.atTheEnd } : {};
  const onPress = () => {
    if (id !== undefined) open(id);
  };
  return <Button look="quiet" icon={icon} label={name} onPress={onPress} {...barred} />;
}

function Tabs({
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
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab opens
  useEffect(() => {
    const active = document.activeElement;
    // The pressed button disappeared with the page that is now covered.
    if (active !== document.body && active?.checkVisibility() === true) return;
    bar.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [tab]);
  if (inverses.length === 0 && !hasHistory) return null;
  const path = recordPath(resource.name, record.id);
  const current = (name: string | null) => (tab === name ? ("page" as const) : undefined);
  return (
    <nav ref={bar} className="tabs" aria-label={resource.singular}>
      <Link href={path} aria-current={current(null)}>
        {text.details}
      </Link>
      {inverses.map(({ name, resource: other }) => {
        const found = counts[name];
        // Several tabs of one resource, or of the record's own, are distinguished by the inverses' names.
        const isAlone = inverses.filter((one) => one.resource === other).length === 1;
        const isOther = isAlone && other.name !== resource.name;
        const label = isOther ? other.label : labelOf({ name });
        return (
          <Link key={name} href={`${path}/${name}`} aria-current={current(name)}>
            <bdi>{label}</bdi>{" "}
            <span className="count num">{found === undefined ? "…" : text.count(found)}</span>
          </Link>
        );
      })}
      {hasHistory ? (
        <Link href={`${path}/${historyTab}`} aria-current={current(historyTab)}>
          {enHistory.tab}
        </Link>
      ) : null}
    </nav>
  );
}
