import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import {
  altOf,
  fileOf,
  filePath,
  listPath,
  may,
  recordPath,
  thing,
} from "../../../api/records/descriptors.js";
import { type Around, recordQuery, type Version } from "../../../api/records/records.js";
import { letLeave } from "../../../browser/address/leaving.js";
import { useIsNarrow } from "../../../browser/use-is-narrow.js";
import type { MergingProps } from "../../../form/merging/dialog.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { Menu } from "../../../parts/overlay/menu.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import { Title } from "../../../parts/page/page.js";
import { PublicNote } from "../../../rules/public-note.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";
import { Crumbs } from "./crumbs.js";
import { Deletion } from "./deletion.js";
import { Tabs } from "./tabs.js";
import { useNeighbours } from "./use-neighbours.js";
import { useRecordKeys } from "./use-record-keys.js";

const text = enRecord;

const Merging = lazyPart<MergingProps>({
  load: () => import("../../../form/merging/dialog.js"),
  leave: ({ onClose }) => onClose(),
});

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

/** The head of a record's page: its title, actions and tabs. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one head, whose menu and tabs share its state
export function Head(props: HeadProps) {
  const { resource, version, title, tab, counts, links, mayDelete, hasHistory } = props;
  const { record } = version;
  const [, go] = useLocation();
  const { user } = useSession();
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const [isMerging, setMerging] = useState(false);
  const { before, after } = useNeighbours(resource, record.id);
  const picture = resource.fields.find((field) => kindOf(field).isPicture);
  const details = picture === undefined ? null : fileOf(picture, record);
  const open = (id: string) => go(recordPath(resource.name, id));
  useRecordKeys({ before, after, open });
  const duplicate = () =>
    go(`${listPath(resource)}/new?${new URLSearchParams({ copy: record.id })}`);
  // On phones, there is no room for the arrows and the button next to the title.
  const isNarrow = useIsNarrow();
  const neighbour = (id: string | undefined, label: string) =>
    id === undefined || !isNarrow ? [] : [{ id: label, label, onAction: () => open(id) }];
  const entries = [
    ...neighbour(before, text.previous(thing(resource))),
    ...neighbour(after, text.next(thing(resource))),
    ...(isNarrow && may(resource, "create")
      ? [
          {
            id: "duplicate",
            label: text.duplicate,
            onAction: duplicate,
          },
        ]
      : []),
    ...(mayDelete && may(resource, "update") && may(resource, "list")
      ? [{ id: "merge", label: text.merge, onAction: () => setMerging(true) }]
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
      {isMerging ? (
        <Merging
          resource={resource}
          id={record.id}
          other={null}
          onClose={() => setMerging(false)}
          onMerged={(kept) => {
            setMerging(false);
            letLeave();
            if (kept === record.id) {
              void client.resetQueries(recordQuery(user.id, resource.name, kept));
            } else go(recordPath(resource.name, kept), { replace: true });
          }}
        />
      ) : null}
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
