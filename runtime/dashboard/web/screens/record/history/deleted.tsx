import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../../../api/account/session.js";
import { historyQuery, isDeletion, type Reverted, revertTo } from "../../../api/changes/history.js";
import { nothingRefused } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { may, titleOf } from "../../../api/records/descriptors.js";
import { forgetLists, recordQuery } from "../../../api/records/records.js";
import { restoreRecord } from "../../../api/records/trash.js";
import { Button } from "../../../parts/button/button.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Skeleton, Title } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { enHistory } from "../../../text/en/history.js";
import { Crumbs } from "../head/crumbs.js";
import { Entries } from "./entries.js";
import { reasonOf } from "./use-reverts.js";

const text = enHistory;

export interface DeletedProps {
  readonly resource: Resource;
  readonly id: string;
  /** The content if the record never existed, or if its history is hidden from the caller. */
  readonly otherwise: ReactNode;
  /** Returns to the list. */
  readonly onLeave: () => void;
}

/** The page of a deleted record: its history, and a way to restore it. */
export default function Deleted({ resource, id, otherwise }: DeletedProps): ReactNode {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const name = { resource: resource.name, id };
  const history = useInfiniteQuery(historyQuery(user.id, name));
  const entries = history.data?.pages.flatMap(({ data }) => data) ?? [];
  const last = entries.find((entry) => !isDeletion(entry));
  const isInTrash = entries[0]?.op === "trash";
  const restore = useWrite<string, Reverted>({
    run: async (entry, idempotencyKey) =>
      isInTrash
        ? { ...(await restoreRecord(name, idempotencyKey)), skipped: [] }
        : revertTo(name, entry, { idempotencyKey }),
    onDone: ({ record, etag, skipped }) => {
      const { queryKey } = recordQuery(user.id, resource.name, id);
      client.setQueryData(queryKey, { record, etag });
      forgetLists(client, { account: user.id, resources, resource });
      toast(text.withSkipped(text.restored(titleOf(resource, record)), skipped));
    },
  });
  if (history.isPending) {
    return (
      <div className="content">
        <Skeleton lines={8} />
      </div>
    );
  }
  const [newest] = entries;
  if (newest === undefined || !isDeletion(newest)) return otherwise;
  const values = Object.fromEntries(newest.changes.map(({ field, from }) => [field, from]));
  const isOffered = last !== undefined && may(resource, isInTrash ? "delete" : "create");
  const offered = isInTrash ? text.trashedText : text.deletedText;
  return (
    <div className="scroll">
      <div className="top">
        <div className="grow">
          <Crumbs resource={resource} id={id} idIn={() => null} linkedBy={() => null} />
          <Title>{text.deletedAs(titleOf(resource, { ...values, id }))}</Title>
        </div>
        {isOffered ? (
          <Button look="primary" isBusy={restore.isBusy} onPress={() => restore.send(last.id)}>
            {text.restore}
          </Button>
        ) : null}
      </div>
      <div className="content">
        <p className="muted">{isOffered ? offered : text.deletedBarred}</p>
        <Refusal
          refused={
            restore.error === null
              ? nothingRefused
              : { ...nothingRefused, general: reasonOf(restore.error, resource) }
          }
        />
        <Entries resource={resource} id={id} version={null} mayWrite={false} />
      </div>
    </div>
  );
}
