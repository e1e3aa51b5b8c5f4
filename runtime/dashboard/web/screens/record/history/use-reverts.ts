import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import {
  entryQuery,
  type FieldChange,
  type HistoryEntry,
  type Reverted,
  revertTo,
} from "../../../api/changes/history.js";
import { callWhole } from "../../../api/client/client.js";
import { ApiError, isStatus, sentence } from "../../../api/client/errors.js";
import type { Resource, Row } from "../../../api/client/types.js";
import { useWrite, type Write } from "../../../api/client/writes.js";
import { labelOf, readableFields, titleOf } from "../../../api/records/descriptors.js";
import {
  forgetLists,
  recordAddress,
  recordQuery,
  type Version,
  versionOf,
} from "../../../api/records/records.js";
import { formerValues, undoEdit } from "../../../api/records/undo.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { time } from "../../../text/dates.js";
import { enHistory } from "../../../text/en/history.js";
import { useUndo } from "../../../undo/use-undo.js";

const text = enHistory;

export interface RevertsOptions {
  readonly resource: Resource;
  readonly id: string;
  readonly entry: HistoryEntry;
  /** The version to replace; null if nothing may be written. */
  readonly version: Version | null;
}

/** The version that will be overwritten. */
interface Base {
  readonly etag: string;
}

/** Restores a whole earlier version or one earlier value, unless the record has changed in the meantime. */
export function useReverts({ resource, id, entry, version }: RevertsOptions): {
  readonly revert: Write<Base>;
  readonly putBack: Write<Base & { readonly change: FieldChange }>;
} {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const name = { resource: resource.name, id };
  const { queryKey } = recordQuery(user.id, resource.name, id);
  /** An open form displays the version; the user's input stays. */
  const show = (next: Version) => {
    client.setQueryData(queryKey, { record: next.record, etag: next.etag });
    forgetLists(client, { account: user.id, resources, resource });
  };
  const done = (written: Version, said: string, changed: readonly string[]) => {
    show(written);
    const title = titleOf(resource, written.record);
    const values = formerValues(
      version?.record ?? written.record,
      Object.fromEntries(changed.map((field) => [field, null])),
    );
    offerUndo(said, {
      title,
      run: (key) => undoEdit({ ...name, etag: written.etag }, values, key),
      onUndone: show,
    });
  };

  const revert = useWrite<Base, Reverted>({
    run: ({ etag }, idempotencyKey) => revertTo(name, entry.id, { ifMatch: etag, idempotencyKey }),
    onDone: (written) => {
      const title = titleOf(resource, written.record);
      const changed = writtenFields(resource, version?.record ?? null, written.record);
      const said = (words: string) => text.withSkipped(words, written.skipped);
      if (changed.length === 0) {
        show(written);
        toast(said(text.nothingToRevert(title)));
      } else done(written, said(text.reverted(title, time(entry.at))), changed);
    },
  });
  const putBack = useWrite<Base & { readonly change: FieldChange }, Version>({
    run: async ({ etag, change: { field, from, cut } }, idempotencyKey) => {
      const whole =
        cut === true ? await client.fetchQuery(entryQuery(user.id, name, entry.id)) : null;
      const change = whole?.changes.find((one) => one.field === field);
      const body = { [field]: change === undefined ? from : change.from };
      const path = recordAddress(resource.name, id);
      return versionOf(
        await callWhole<Row>("PATCH", path, { body, ifMatch: etag, idempotencyKey }),
      );
    },
    onDone: (written, { change: { field: changed } }) => {
      const field = readableFields(resource).find(({ name: known }) => known === changed);
      const label = labelOf(field ?? { name: changed });
      done(written, text.isBack(label, titleOf(resource, written.record)), [changed]);
    },
  });
  return { revert, putBack };
}

/** The writable fields whose values have changed. */
function writtenFields({ fields }: Resource, before: Row | null, after: Row): readonly string[] {
  return fields
    .filter(({ name, writable }) => writable !== false && Object.hasOwn(after, name))
    .map(({ name }) => name)
    .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
}

/** Explains why a version could not be restored, naming the fields that prevent it. */
export function reasonOf(error: unknown, resource: Resource): string {
  if (isStatus(error, 412)) return text.changedSince;
  if (!(error instanceof ApiError) || error.issues.length === 0) return sentence(error);
  const sentences = error.issues.map(({ path, message }) => {
    const field = resource.fields.find(({ name }) => name === path);
    return field === undefined ? message : `${labelOf(field)}: ${message}`;
  });
  return sentences.join(". ");
}
