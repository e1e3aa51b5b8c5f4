import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import { isStatus } from "../../api/client/errors.js";
import { idOfPath } from "../../api/client/id-in-path.js";
import type { Resource } from "../../api/client/types.js";
import {
  hasHistory,
  listPath,
  may,
  mayWith,
  recordPath,
  thing,
  titleOf,
} from "../../api/records/descriptors.js";
import { rolesQuery } from "../../api/records/membership.js";
import { aroundQuery, recordQuery, type Version } from "../../api/records/records.js";
import type { ConflictScreen } from "../../form/versions.js";
import { lazyPart } from "../../parts/page/lazy-part.js";
import { Skeleton } from "../../parts/page/page.js";
import "../../parts/page/dock.css";
import { forgetOpened, rememberOpened } from "../../browser/storage/recent.js";
import { enRecord } from "../../text/en/record.js";
import { Absent, Plain } from "./absent.js";
import { ExistingEditor, NewEditor } from "./form/editor.js";
import { Head } from "./head/head.js";
import { historyTab } from "./head/tabs.js";
import type { DeletedProps } from "./history/deleted.js";
import type { HistoryProps } from "./history/history.js";
import { ReadOnly, withLinks } from "./read-only.js";
import { Related } from "./related.js";
import "./screen.css";

const text = enRecord;

const History = lazyPart<HistoryProps>({
  load: () => import("./history/history.js"),
  leave: ({ onLeave }) => onLeave(),
  waiting: <Skeleton lines={8} />,
});
const Deleted = lazyPart<DeletedProps>({
  load: () => import("./history/deleted.js"),
  leave: ({ onLeave }) => onLeave(),
  waiting: <Skeleton lines={8} />,
});

export interface RecordProps {
  readonly resource: Resource;
  /** The record's id as in the address; null for a new one. */
  readonly id: string | null;
  /** The inverse whose list is open; null shows the record's own fields. */
  readonly tab: string | null;
  readonly Conflict: ConflictScreen;
}

export default function Record({ resource, id, tab, Conflict }: RecordProps) {
  const { user } = useSession();
  if (id !== null) {
    const known = idOfPath(id);
    return <Existing key={known} resource={resource} id={known} tab={tab} Conflict={Conflict} />;
  }
  if (!may(resource, "create")) {
    return (
      <Plain title={text.new(thing(resource))} resource={resource}>
        <p className="muted">{text.mayNotCreate(resource.label)}</p>
      </Plain>
    );
  }
  return <New key={user.id} resource={resource} Conflict={Conflict} />;
}

/** An empty form, or one with the values of another record. */
function New({
  resource,
  Conflict,
}: {
  readonly resource: Resource;
  readonly Conflict: ConflictScreen;
}) {
  const { user } = useSession();
  const [params] = useSearchParams();
  const [round, setRound] = useState(0);
  const copied = params.get("copy");
  const original = useQuery({
    ...recordQuery(user.id, resource.name, copied ?? ""),
    enabled: copied !== null,
  });
  const around = useQuery({
    ...aroundQuery({ account: user.id, resources: useSession().resources, resource }, copied ?? ""),
    enabled: copied !== null,
  });
  const isReady = copied === null || (!original.isPending && !around.isPending);
  if (!isReady) {
    return (
      <Plain title={text.new(thing(resource))} resource={resource}>
        <Skeleton />
      </Plain>
    );
  }
  return (
    <NewEditor
      key={`${round} ${copied}`}
      resource={resource}
      copied={original.data?.record ?? null}
      given={Object.fromEntries(params)}
      links={around.data?.links ?? {}}
      onNext={() => setRound(round + 1)}
      Conflict={Conflict}
    />
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose parts share the record
function Existing({
  resource,
  id,
  tab,
  Conflict,
}: {
  readonly resource: Resource;
  readonly id: string;
  readonly tab: string | null;
  readonly Conflict: ConflictScreen;
}) {
  const { user, resources } = useSession();
  const [, go] = useLocation();
  const loaded = useQuery(recordQuery(user.id, resource.name, id));
  const known = { account: user.id, resources, resource };
  const around = useQuery(aroundQuery(known, id));
  const roles = useQuery(rolesQuery(known, loaded.data?.record ?? null));
  const links = around.data?.links ?? {};
  const title =
    loaded.data === undefined
      ? null
      : titleOf(resource, withLinks(resource, loaded.data.record, links));
  // A title that consists of linked records is known once these are loaded.
  const opened = around.isPending ? null : title;
  const isGone = isStatus(loaded.error, 404);
  useEffect(() => {
    if (isGone) forgetOpened(user.id, id);
    if (opened !== null) rememberOpened(user.id, { resource: resource.name, id, title: opened });
  }, [user.id, resource.name, id, opened, isGone]);
  if (loaded.data === undefined || title === null || roles.isLoading) {
    const absent = (
      <Absent resource={resource} error={loaded.error} onRetry={() => void loaded.refetch()} />
    );
    return isGone && hasHistory(resource) ? (
      <Deleted
        resource={resource}
        id={id}
        otherwise={absent}
        onLeave={() => go(listPath(resource))}
      />
    ) : (
      absent
    );
  }
  const version: Version = loaded.data;
  const acting = { account: user.id, roles: roles.data ?? null };
  const target = { resource, record: version.record };
  const mayWrite = mayWith(target, "update", acting);
  const isKept = hasHistory(resource) && mayWith(target, "history", acting);
  const head = (
    <Head
      resource={resource}
      version={version}
      title={title}
      tab={tab}
      counts={around.data?.counts ?? {}}
      mayDelete={mayWith(target, "delete", acting)}
      hasHistory={isKept}
      links={links}
    />
  );
  const surroundings = { resource, version, head, links };
  const cover =
    tab === null ? null : tab === historyTab && isKept ? (
      <History
        head={head}
        resource={resource}
        version={version}
        mayWrite={mayWrite}
        onLeave={() => go(recordPath(resource.name, id))}
      />
    ) : (
      <Related head={head} resource={resource} record={version.record} tab={tab} />
    );
  if (mayWrite) {
    return <ExistingEditor {...surroundings} cover={cover} Conflict={Conflict} />;
  }
  return cover === null ? <ReadOnly {...surroundings} /> : <div className="docked">{cover}</div>;
}
