import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import {
  begun,
  type Progress,
  progressed,
  type Run,
  runBatches,
} from "../../../api/records/batches.js";
import { things } from "../../../api/records/descriptors.js";
import { forgetOpened } from "../../../browser/storage/recent.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Failure } from "../../../parts/page/page.js";
import { enBulk } from "../../../text/en/bulk.js";
import { count } from "../../../text/format.js";
import type { Chosen, Selection } from "../rows/selection.js";
import { DeleteForm } from "./delete.js";
import { EditForm } from "./edit.js";
import { BulkReport } from "./report.js";
import { countSelected, itemsOf } from "./selected-records.js";

const text = enBulk;

export interface BulkProps {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly action: "edit" | "delete";
  /** `isDone`: something was sent. */
  readonly onClose: (isDone: boolean) => void;
}

/** Edits or deletes the chosen records: shows their number, then the progress, then the refusals. */
export default function Bulk({ resource, selection, action, onClose }: BulkProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = useRef<Run | null>(null);
  const counted = useQuery({
    queryKey: [user.id, "counted", resource.name, selection],
    queryFn: ({ signal }) => countSelected(resource, selection, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const words = things(resource);
  const number = counted.data === undefined ? "…" : count(counted.data);
  const begin = (operation: (row: Chosen) => object) => {
    setProgress(begun(counted.data ?? 0));
    const begunRun = runBatches(
      (patiently) => itemsOf(resource, selection, operation, patiently),
      (event) => setProgress((state) => (state === null ? null : progressed(state, event))),
    );
    run.current = begunRun;
    void begunRun.done.then(() =>
      client.invalidateQueries({ queryKey: [user.id, "resource"], refetchType: "active" }),
    );
  };
  const title = (action === "edit" ? text.editTitle : text.deleteTitle)(number, words);
  const isRunning = progress !== null && progress.kind !== "ended";
  const close = () => {
    if (isRunning) run.current?.stop();
    else onClose(progress !== null);
  };
  return (
    <Dialog title={title} onClose={close} isAlert={action === "delete"}>
      {progress !== null ? (
        <BulkReport
          resource={resource}
          progress={progress}
          done={(action === "edit" ? text.edited : text.deleted)(
            count(progress.written),
            count(progress.total),
            words,
          )}
          onStop={() => run.current?.stop()}
          onAgain={() => run.current?.again()}
          onClose={() => onClose(true)}
        />
      ) : counted.isError ? (
        <Failure text={sentence(counted.error)} onRetry={() => void counted.refetch()} />
      ) : counted.data === undefined ? (
        <p role="status" className="muted">
          {text.counting}
        </p>
      ) : counted.data === 0 ? (
        <p>{text.nothingLeft}</p>
      ) : action === "edit" ? (
        <EditForm
          resource={resource}
          button={text.editButton(number, words)}
          onCancel={close}
          onEdit={(values) =>
            begin(({ id, etag }) => ({
              update: resource.name,
              id,
              values,
              ...(etag === null ? {} : { ifMatch: etag }),
            }))
          }
        />
      ) : (
        <DeleteForm
          total={counted.data}
          button={text.deleteButton(number, words)}
          onCancel={close}
          onDelete={() =>
            begin(({ id, etag }) => {
              forgetOpened(user.id, id);
              return { delete: resource.name, id, ...(etag === null ? {} : { ifMatch: etag }) };
            })
          }
        />
      )}
    </Dialog>
  );
}
