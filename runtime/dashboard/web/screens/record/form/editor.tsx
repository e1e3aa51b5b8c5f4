import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import {
  listPath,
  may,
  recordPath,
  titleOf,
  writtenFields,
} from "../../../api/records/descriptors.js";
import {
  type Around,
  forgetLists,
  readRecord,
  recordQuery,
  type Version,
} from "../../../api/records/records.js";
import { formerValues, undoBatch, undoCreation, undoEdit } from "../../../api/records/undo.js";
import { here } from "../../../browser/address/address.js";
import { letLeave } from "../../../browser/address/leaving.js";
import { asReturn, lastList } from "../../../browser/address/returning.js";
import { draftName } from "../../../browser/storage/drafts.js";
import { forgetOpened } from "../../../browser/storage/recent.js";
import { startOf, type Typed, typedOf } from "../../../form/state.js";
import type { ConflictScreen } from "../../../form/versions.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { enRecord } from "../../../text/en/record.js";
import { useUndo } from "../../../undo/use-undo.js";
import { NewHead } from "../head/new-head.js";
import { useNeighbours } from "../head/use-neighbours.js";
import { withLinks } from "../read-only.js";
import { newFields, newPath, writableFields } from "./new-fields.js";
import { RecordForm } from "./record-form.js";
import type { Saved } from "./use-form.js";

const text = enRecord;

/** The form of an existing record. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose parts share its state
export function ExistingEditor({
  resource,
  version,
  head,
  links,
  cover,
  Conflict,
}: {
  readonly resource: Resource;
  readonly version: Version;
  readonly head: ReactNode;
  readonly links: Around["links"];
  /** A tab open over the form, which keeps its input. */
  readonly cover: ReactNode;
  readonly Conflict: ConflictScreen;
}) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const [, go] = useLocation();
  const { after } = useNeighbours(resource, version.record.id);
  const fields = writableFields(resource).filter(({ readable }) => readable !== false);
  const onSaved = ({ version: saved, saving, undoing, continues }: Saved) => {
    const { queryKey } = recordQuery(user.id, resource.name, saved.record.id);
    client.setQueryData(queryKey, saved);
    forgetLists(client, { account: user.id, resources, resource });
    const title = titleOf(resource, withLinks(resource, saved.record, links));
    for (const { child } of saving?.lines ?? []) {
      forgetLists(client, { account: user.id, resources, resource: child });
    }
    if (saving === null || saving.base === null || undoing === null) toast(text.saved(title));
    else if (saving.lines.length > 0) {
      offerUndo(text.saved(title), {
        title,
        run: (key) => undoBatch(undoing, key),
        onUndone: () => {
          for (const one of [resource, ...saving.lines.map(({ child }) => child)]) {
            forgetLists(client, { account: user.id, resources, resource: one });
          }
          void readRecord(resource.name, saved.record.id).then((undone) =>
            client.setQueryData(queryKey, (shown) => (shown === undefined ? shown : undone)),
          );
        },
      });
    } else {
      const values = formerValues(saving.base.record, saving.body);
      const written = { resource: resource.name, id: saved.record.id, etag: saved.etag };
      offerUndo(text.saved(title), {
        title,
        run: (key) => undoEdit(written, values, key),
        // An open form displays the restored values.
        onUndone: (undone) => {
          client.setQueryData(queryKey, (shown) => (shown === undefined ? shown : undone));
          forgetLists(client, { account: user.id, resources, resource });
        },
      });
    }
    if (!continues) return;
    letLeave();
    if (after !== undefined) go(recordPath(resource.name, after));
    else go(lastList(user.id, listPath(resource)), asReturn(saved.record.id));
  };
  return (
    <RecordForm
      resource={resource}
      fields={fields}
      fixed={fixedFields(resource)}
      version={version}
      start={typedOf(fields, version.record)}
      given={{}}
      draft={draftName(user.id, resource.name, version.record.id)}
      head={head}
      links={links}
      cover={cover}
      onUncover={() => go(recordPath(resource.name, version.record.id))}
      onSaved={onSaved}
      onAdopted={(next) => {
        const { queryKey } = recordQuery(user.id, resource.name, next.record.id);
        client.setQueryData(queryKey, next);
        forgetLists(client, { account: user.id, resources, resource });
      }}
      onGone={() => {
        void client.resetQueries(recordQuery(user.id, resource.name, version.record.id));
      }}
      Conflict={Conflict}
    />
  );
}

/** The form of a new record. */
export function NewEditor({
  resource,
  copied,
  given,
  links,
  onNext,
  Conflict,
}: {
  readonly resource: Resource;
  readonly copied: Row | null;
  /** Initial values from the address, by field. */
  readonly given: Typed;
  readonly links: Around["links"];
  readonly onNext: () => void;
  readonly Conflict: ConflictScreen;
}) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const [, go] = useLocation();
  const fields = newFields(resource);
  // Computed once: a default of "now" would change while the user types.
  const [start] = useState(() => startOf(fields));
  const onSaved = ({ version, saving, continues }: Saved) => {
    for (const one of [resource, ...(saving?.lines ?? []).map(({ child }) => child)]) {
      forgetLists(client, { account: user.id, resources, resource: one });
    }
    const title = titleOf(resource, version.record);
    const created = text.created(title);
    const path = recordPath(resource.name, version.record.id);
    const openIt = { label: text.openIt, onAction: () => go(path) };
    const ways = continues ? [openIt] : [];
    const written = { resource: resource.name, id: version.record.id, etag: version.etag };
    const isAlone = (saving?.lines.length ?? 0) === 0;
    if (!may(resource, "delete") || !isAlone) toast(created, ...ways);
    else {
      const undo = {
        title,
        said: () => text.taken(title),
        run: (key: string) => undoCreation(written, key),
        onUndone: () => {
          forgetLists(client, { account: user.id, resources, resource });
          forgetOpened(user.id, version.record.id);
          if (here().split("?")[0] !== path) return;
          letLeave();
          go(newPath(resource, saving?.mine ?? {}), { replace: true });
        },
      };
      offerUndo(created, undo, ...ways);
    }
    if (continues) {
      onNext();
      return;
    }
    const { queryKey } = recordQuery(user.id, resource.name, version.record.id);
    client.setQueryData(queryKey, version);
    letLeave();
    go(path, { replace: true });
  };
  return (
    <RecordForm
      resource={resource}
      fields={fields}
      fixed={[]}
      version={null}
      start={start}
      given={{ ...copyOf(fields, copied), ...givenOf(fields, given) }}
      draft={draftName(user.id, resource.name, null)}
      head={<NewHead resource={resource} given={given} />}
      links={links}
      cover={null}
      onUncover={() => {}}
      onSaved={onSaved}
      onAdopted={() => {}}
      onGone={() => {}}
      Conflict={Conflict}
    />
  );
}

/** Read-only fields that are displayed next to the form. */
function fixedFields(resource: Resource): readonly Field[] {
  return writtenFields(resource).filter(({ writable }) => writable === false);
}

/** The values of a copy, without unique fields. */
function copyOf(fields: readonly Field[], record: Row | null): Typed {
  if (record === null) return {};
  const shared = fields.filter(({ unique, readable }) => unique !== true && readable !== false);
  return typedOf(shared, record);
}

function givenOf(fields: readonly Field[], given: Typed): Typed {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}
