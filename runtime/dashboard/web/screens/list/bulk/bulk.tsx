import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import {
  type BatchItem,
  begun,
  type Patiently,
  type Progress,
  progressed,
  type Run,
  runBatches,
} from "../../../api/records/batches.js";
import { thing, things } from "../../../api/records/descriptors.js";
import { undoDeletions, undoEdits } from "../../../api/records/undo.js";
import { forgetOpened } from "../../../browser/storage/recent.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Failure } from "../../../parts/page/page.js";
import { enBulk, enTrash } from "../../../text/en/bulk.js";
import { count } from "../../../text/format.js";
import { useUndo } from "../../../undo/use-undo.js";
import type { Chosen, Selection } from "../rows/selection.js";
import { DeleteForm } from "./delete.js";
import { type DeletionLog, newDeletionLog } from "./deleted-records.js";
import { EditForm } from "./edit/edit.js";
import { type EditLog, editOf, mostUndone, newEditLog } from "./edit/former-values.js";
import { BulkReport } from "./report.js";
import { chunksOf, countSelected } from "./selected-records.js";

const text = enBulk;

export interface BulkProps {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly action: "edit" | "delete";
  /** `isDone`: whether anything was sent. */
  readonly onClose: (isDone: boolean) => void;
}

/** The operations for up to a hundred records. */
type ItemsOf = (
  rows: readonly Chosen[],
  patiently: Patiently,
) => readonly BatchItem[] | Promise<readonly BatchItem[]>;

/** Edits or deletes the selected records: displays their number, then the progress, then the refusals. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dialog, whose steps share its state
export default function Bulk({ resource, selection, action, onClose }: BulkProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = useRef<Run | null>(null);
  const log = useRef<EditLog | null>(null);
  const deletions = useRef<DeletionLog>(newDeletionLog(resource.name));
  const counted = useQuery({
    queryKey: [user.id, "counted", resource.name, selection],
    queryFn: ({ signal }) => countSelected(resource, selection, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const total = counted.data ?? 0;
  const isKept = resource.trash !== undefined && total <= mostUndone;
  const words = total === 1 ? thing(resource) : things(resource);
  const number = counted.data === undefined ? "…" : count(total);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: [user.id, "resource"], refetchType: "active" });
  };
  const begin = (itemsOf: ItemsOf) => {
    let now = begun(total);
    setProgress(now);
    const begunRun = runBatches(
      (patiently) => pagesOf({ resource, selection }, itemsOf, patiently),
      (event) => {
        log.current?.note(event);
        deletions.current.note(event);
        now = progressed(now, event);
        setProgress(now);
      },
      { hasEtags: log.current !== null },
    );
    run.current = begunRun;
    void begunRun.done.then(() => {
      refresh();
      // Nothing was refused, so the report would be empty.
      if ((action === "edit" || isKept) && now.written === now.total) finish(now);
    });
  };
  const edit = (values: Readonly<Record<string, unknown>>) => {
    const kept = total <= mostUndone && isReadable(resource, values) ? newEditLog(resource) : null;
    log.current = kept;
    begin((rows, patiently) =>
      kept === null
        ? rows.map((row) => editOf(resource.name, row, values))
        : kept.items(rows, values, patiently),
    );
  };
  const finish = ({ written, total: all }: Progress) => {
    onClose(true);
    if (written === 0) return;
    if (action === "delete") {
      if (isKept) offerRestore(text.deleted(count(written), count(all), words));
      return;
    }
    const said = text.edited(count(written), count(all), words);
    const edited = log.current?.edited ?? [];
    if (edited.length === 0) toast(said);
    else {
      offerUndo(said, {
        title: resource.label,
        run: undoEdits(edited),
        onUndone: refresh,
        said: (undone) => text.undone(count(undone), count(edited.length), words),
      });
    }
  };
  const offerRestore = (said: string) => {
    const { ids } = deletions.current;
    offerUndo(said, {
      title: resource.label,
      run: undoDeletions(resource.name, ids),
      onUndone: refresh,
      said: (undone) => enTrash.restored(count(undone), count(ids.length), words),
    });
  };
  const close = () => {
    if (progress === null) onClose(false);
    else if (progress.kind === "ended") finish(progress);
    else run.current?.stop();
  };
  const title = (action === "edit" ? text.editTitle : text.deleteTitle)(number, words);
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
          onClose={() => finish(progress)}
        />
      ) : counted.isError ? (
        <Failure text={sentence(counted.error)} onRetry={() => void counted.refetch()} />
      ) : counted.data === undefined ? (
        <p role="status" className="muted">
          {text.counting}
        </p>
      ) : total === 0 ? (
        <p>{text.nothingLeft}</p>
      ) : action === "edit" ? (
        <EditForm
          resource={resource}
          selection={selection}
          total={total}
          button={text.editButton(number, words)}
          onCancel={close}
          onEdit={edit}
        />
      ) : (
        <DeleteForm
          resource={resource}
          selection={selection}
          total={total}
          button={text.deleteButton(number, words)}
          onCancel={close}
          onDelete={() =>
            begin((rows) =>
              rows.map((row) => {
                forgetOpened(user.id, row.id);
                return deletions.current.item(row);
              }),
            )
          }
        />
      )}
    </Dialog>
  );
}

async function* pagesOf(
  { resource, selection }: { readonly resource: Resource; readonly selection: Selection },
  itemsOf: ItemsOf,
  patiently: Patiently,
): AsyncGenerator<readonly BatchItem[]> {
  for await (const rows of chunksOf(resource, selection, patiently)) {
    yield await itemsOf(rows, patiently);
  }
}

/** Previous values can be stored for an undo only if the fields are readable. */
function isReadable({ fields }: Resource, values: object): boolean {
  return fields.every(({ name, readable }) => readable !== false || !Object.hasOwn(values, name));
}
