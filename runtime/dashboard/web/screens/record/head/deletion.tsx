import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import { lastEntryQuery, revertTo } from "../../../api/changes/history.js";
import { call } from "../../../api/client/client.js";
import { isStatus } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { hasHistory, listPath, may, thing, titleOf } from "../../../api/records/descriptors.js";
import {
  dependantsQuery,
  forgetLists,
  linksTo,
  recordAddress,
  type Version,
} from "../../../api/records/records.js";
import { restoreRecord } from "../../../api/records/trash.js";
import { letLeave } from "../../../browser/address/leaving.js";
import { asReturn, lastList } from "../../../browser/address/returning.js";
import { draftName, forgetDraft } from "../../../browser/storage/drafts.js";
import { forgetInList } from "../../../browser/storage/neighbours.js";
import { forgetOpened } from "../../../browser/storage/recent.js";
import { DependantList, keeps, mayCount } from "../../../form/dependants.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Refusal } from "../../../parts/status/notice.js";
import { en } from "../../../text/en/en.js";
import { enHistory } from "../../../text/en/history.js";
import { enRecord } from "../../../text/en/record.js";
import { useUndo } from "../../../undo/use-undo.js";
import { useNeighbours } from "./use-neighbours.js";

const text = enRecord;

export interface DeletionProps {
  readonly resource: Resource;
  readonly version: Version;
  readonly title: string;
  readonly onClose: () => void;
}

/** Asks before a deletion, with the numbers of records that prevent it, are deleted too, or lose their link. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dialog, whose parts share its state
export function Deletion({ resource, version, title, onClose }: DeletionProps) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const [, go] = useLocation();
  const { record, etag } = version;
  const { before, after } = useNeighbours(resource, record.id);
  const links = linksTo(resources, resource);
  const totals = useQueries({
    queries: links.map((link) => ({
      ...dependantsQuery(user.id, link, record.id),
      enabled: mayCount(link),
    })),
  });
  const name = { resource: resource.name, id: record.id };
  const isKept = resource.trash !== undefined;
  const canRestore = !isKept && hasHistory(resource) && may(resource, "create");
  const last = useQuery({ ...lastEntryQuery(user.id, name), enabled: canRestore });
  // The last history entry allows a restore. A record without an entry since its history began cannot be restored.
  const wayBack = canRestore ? (last.data?.id ?? null) : null;
  const remove = useWrite({
    run: (_: string, key) =>
      call<undefined>("DELETE", recordAddress(resource.name, record.id), {
        ifMatch: etag,
        idempotencyKey: key,
      }),
    onRefused: (error) => {
      // The records that prevented it did not exist, or could not be read, when the dialog opened.
      if (isStatus(error, 409))
        totals
          .filter((_, at) => links[at] !== undefined && mayCount(links[at]))
          .forEach((total) => void total.refetch());
    },
    onDone: () => {
      forgetDraft(draftName(user.id, resource.name, record.id));
      forgetLists(client, { account: user.id, resources, resource });
      const onUndone = () => forgetLists(client, { account: user.id, resources, resource });
      if (isKept) {
        offerUndo(text.deleted(title), {
          title,
          run: (idempotencyKey) => restoreRecord(name, idempotencyKey),
          onUndone,
          said: (undone) => enHistory.restored(titleOf(resource, undone.record)),
        });
      } else if (wayBack === null) toast(text.deleted(title));
      else {
        offerUndo(text.deleted(title), {
          title,
          run: (idempotencyKey) => revertTo(name, wayBack, { idempotencyKey }),
          onUndone,
          said: (undone) =>
            enHistory.withSkipped(
              enHistory.restored(titleOf(resource, undone.record)),
              undone.skipped,
            ),
        });
      }
      forgetOpened(user.id, record.id);
      forgetInList(user.id, resource.name, record.id);
      letLeave();
      go(lastList(user.id, listPath(resource)), { replace: true, ...asReturn(after ?? before) });
    },
  });
  const known = links.map((link, at) => ({ ...link, total: totals[at]?.data }));
  const isBarred = known.some(({ field, total = 0 }) => keeps(field) && total > 0);
  const isRefused = isStatus(remove.error, 409);
  const refused = isStatus(remove.error, 412)
    ? { ...remove.refused, general: text.changedMeanwhile }
    : remove.refused;
  const shown = known.filter(({ field, resource: other, total }) =>
    // After a refusal, the resources that may link to it are named; their numbers may be hidden from this role.
    total === undefined ? isRefused && keeps(field) && may(other, "list") : total > 0,
  );
  return (
    <Dialog title={text.deleteTitle(title)} onClose={onClose} isAlert closesOutside>
      <p>
        {isKept
          ? text.deleteTrashed
          : canRestore && last.data !== null
            ? text.deleteKept
            : text.deleteText}
      </p>
      <DependantList dependants={shown} id={record.id} />
      {isBarred ? <p className="muted">{text.deleteBarred}</p> : null}
      <Refusal refused={refused} />
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        <Button
          look="danger"
          isBusy={remove.isBusy}
          onPress={() => remove.send(etag)}
          {...(isBarred ? { barred: text.deleteBarred } : {})}
        >
          {text.deleteButton(thing(resource))}
        </Button>
      </div>
    </Dialog>
  );
}
