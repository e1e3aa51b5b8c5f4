import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Row } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import type { Fault, RefusedItem } from "../../../api/records/batches.js";
import {
  labelOf,
  mayWith,
  someRole,
  thing,
  things,
  titleOf,
} from "../../../api/records/descriptors.js";
import { type Edited, formerValues, readFormer, undoEdits } from "../../../api/records/undo.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Failure, Skeleton } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { enBulk, enPaste } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import { useUndo } from "../../../undo/use-undo.js";
import type { CellPlace } from "../cell/cells-of.js";
import { useRowsInPlace } from "../cell/rows-in-place.js";
import type { Shown } from "../rows/rows.js";
import { namesQuery } from "./names.js";
import { Preview } from "./preview.js";
import "./paste.css";
import { cellsOf, mostLength, mostRows, type PastedRow, read } from "./pasted.js";

const text = enPaste;

export interface PasteProps {
  readonly shown: Shown;
  /** The parameters of the list. */
  readonly query: string;
  /** The cell at which the paste starts. */
  readonly place: CellPlace;
  readonly pasted: string;
  readonly onClose: () => void;
}

/** Previews the changes of a paste before they are made; unusable cells are skipped, with the reason. */
export default function Paste(props: PasteProps) {
  const { shown, pasted, place, onClose } = props;
  const cells = pasted.length > mostLength ? [] : cellsOf(pasted);
  if (cells.length > mostRows || pasted.length > mostLength) {
    return (
      <Dialog title={text.tooMany} onClose={onClose} closesOutside>
        <p>{text.tooManyText(count(mostRows))}</p>
        <div className="actions">
          <Button look="primary" onPress={onClose}>
            {en.common.close}
          </Button>
        </div>
      </Dialog>
    );
  }
  const { columns, rows, editable } = shown;
  const all = [columns.title, ...columns.rest];
  const from = all.findIndex(({ name }) => name === place.field);
  const width = Math.max(...cells.map((row) => row.length));
  const fields = all.slice(from, from + width);
  const first = rows.findIndex(({ id }) => id === place.id);
  return (
    <Question
      {...props}
      cells={cells}
      fields={fields}
      rows={rows.slice(first)}
      left={[
        ...(width > fields.length ? [text.columnsLeft(width - fields.length)] : []),
        ...(cells.length > rows.length - first
          ? [text.rowsLeft(cells.length - (rows.length - first))]
          : []),
        ...fields
          .filter(({ name }) => !editable.has(name))
          .map((field) => text.fixed(labelOf(field))),
      ]}
    />
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dialog, whose parts share the pasted cells
function Question(
  props: PasteProps & {
    readonly cells: readonly (readonly string[])[];
    readonly fields: readonly Field[];
    readonly rows: readonly Row[];
    /** The cells outside the list. */
    readonly left: readonly string[];
  },
) {
  const { shown, query, cells, fields, rows, left, onClose } = props;
  const { resource, columns, editable } = shown;
  const { user, resources } = useSession();
  const offerUndo = useUndo();
  const readRows = useRowsInPlace(resource, columns, query);
  const [refused, setRefused] = useState<readonly RefusedItem[] | null>(null);
  const named = useQuery(namesQuery(user.id, resources, { fields, cells }));
  const pasted = named.data === undefined ? [] : read(cells, { fields, rows, named: named.data });
  const changes = pasted
    .filter(({ row }) => mayWith({ resource, record: row }, "update", someRole(user.id)))
    .map((one) => ({ row: one.row, values: valuesOf(one, fields, editable) }))
    .filter(({ values }) => Object.keys(values).length > 0);
  const total = changes.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  const problems = pasted.flatMap(({ row, cells: one }) =>
    one.flatMap((cell, at) => {
      const field = fields[at];
      if (cell.kind === "value" || field === undefined || !editable.has(field.name)) return [];
      return [{ title: `${titleOf(resource, row)}, ${labelOf(field)}`, reason: cell.message }];
    }),
  );
  const write = useWrite({
    run: async (sent: typeof changes, idempotencyKey) => {
      const names = [...new Set(sent.flatMap(({ values }) => Object.keys(values)))];
      const former = await readFormer(
        resource.name,
        sent.map(({ row }) => row),
        names,
      );
      const etags = new Map(shown.page.map(({ id, etag }) => [id, etag]));
      const operations = sent.map(({ row: { id }, values }) => {
        const etag = etags.get(id) ?? null;
        const ifMatch = etag === null ? {} : { ifMatch: etag };
        return { update: resource.name, id, values, ...ifMatch };
      });
      const answer = await call<{
        readonly errors: readonly Fault[];
        readonly etags: readonly (string | null)[];
      }>("POST", "/_service/batch?etags=true", {
        body: { atomic: false, operations },
        idempotencyKey,
      });
      return { ...answer, former };
    },
    onDone: async ({ errors, etags, former }, sent) => {
      await readRows(sent.map(({ row }) => row.id)).catch(() => []);
      const edited = sent.flatMap(({ row: { id }, values }, at): readonly Edited[] => {
        const [record, etag] = [former.get(id), etags[at] ?? null];
        if (record === undefined || etag === null) return [];
        return [{ resource: resource.name, id, etag, values: formerValues(record, values) }];
      });
      if (edited.length > 0) {
        const words = sent.length === 1 ? thing(resource) : things(resource);
        offerUndo(enBulk.edited(count(edited.length), count(sent.length), words), {
          title: resource.label,
          run: undoEdits(edited),
          said: (undone) => enBulk.undone(count(undone), count(edited.length), words),
          onUndone: () => void readRows(edited.map(({ id }) => id)).catch(() => []),
        });
      }
      if (errors.length === 0) onClose();
      else {
        setRefused(
          errors.map(({ index, status, error, issues = [] }) => ({
            title: sent[index] === undefined ? "" : titleOf(resource, sent[index].row),
            reason:
              status === 412
                ? text.changed
                : issues.map(({ message }) => message).join(" ") || error,
          })),
        );
      }
    },
  });
  const title = named.isPending ? text.title : text.titleOf(total, changes.length);
  return (
    <Dialog title={title} onClose={onClose}>
      {refused !== null ? (
        <>
          <p role="status">{enBulk.refusals(refused.length)}</p>
          <Reasons reasons={refused} />
          <div className="actions">
            <Button look="primary" onPress={onClose}>
              {en.common.close}
            </Button>
          </div>
        </>
      ) : named.isPending ? (
        <Skeleton lines={4} />
      ) : named.isError ? (
        <Failure text={sentence(named.error)} onRetry={() => void named.refetch()} />
      ) : (
        <>
          <Preview shown={shown} fields={fields} pasted={pasted} />
          {left.map((words) => (
            <p key={words} className="small muted">
              {words}
            </p>
          ))}
          {problems.length === 0 ? null : (
            <>
              <p>{text.problems(problems.length)}</p>
              <Reasons reasons={problems} />
            </>
          )}
          <Refusal refused={write.refused} />
          <div className="actions">
            <Button onPress={onClose}>{en.common.cancel}</Button>
            <Button
              look="primary"
              isBusy={write.isBusy}
              onPress={() => write.send(changes)}
              {...(total === 0 ? { barred: text.nothing } : {})}
            >
              {text.button(total)}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly RefusedItem[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <ul className="small stack near pasted-reasons" tabIndex={0}>
      {reasons.map(({ title, reason }) => (
        <li key={`${title} ${reason}`}>
          <bdi>{title}</bdi>: {reason}
        </li>
      ))}
    </ul>
  );
}

/** The values that differ from the row's. */
function valuesOf(
  { row, cells }: PastedRow,
  fields: readonly Field[],
  editable: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap((field, at) => {
      const cell = cells[at];
      if (cell?.kind !== "value" || !editable.has(field.name)) return [];
      return (row[field.name] ?? null) === cell.value ? [] : [[field.name, cell.value]];
    }),
  );
}
