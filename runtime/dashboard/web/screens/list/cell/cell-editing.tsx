import { type RefObject, useEffect, useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { mayWith, someRole } from "../../../api/records/descriptors.js";
import { holdKeys } from "../../../browser/keyboard/typed-ahead.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import type { Shown } from "../rows/rows.js";
import type { CellEditorProps } from "./cell-editor.js";
import { type CellPlace, cellAt } from "./cells-of.js";
import { type CellWrites, type Draft, useCellWrites } from "./saving.js";

const CellEditor = lazyPart<CellEditorProps>({
  load: () => import("./cell-editor.js"),
  leave: ({ onClose }) => onClose(),
});

export interface CellEditing {
  readonly place: CellPlace | null;
  readonly draft: Draft | null;
  readonly writes: CellWrites;
  /** Opens the editor on a cell, if its row may be changed. */
  readonly open: (place: CellPlace) => void;
  /** Reopens the editor with the refused text; false if the user has moved on. */
  readonly reopen: (place: CellPlace, draft: Draft) => boolean;
  readonly close: () => void;
}

export function useCellEditing(shown: Shown | null): CellEditing {
  const { user } = useSession();
  const [place, setPlace] = useState<CellPlace | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const writes = useCellWrites();
  const isFree = useRef(true);
  const put = (next: CellPlace | null, typed: Draft | null) => {
    isFree.current = next === null;
    if (next !== null) holdKeys();
    setPlace(next);
    setDraft(typed);
  };
  useEffect(() => {
    isFree.current = true;
    return () => {
      isFree.current = false;
    };
  }, []);
  return {
    place,
    draft,
    writes,
    open: (next) => {
      const row = shown?.rows.find(({ id }) => id === next.id);
      if (shown === null || row === undefined) return;
      const isOffered =
        shown.editable.has(next.field) &&
        mayWith({ resource: shown.resource, record: row }, "update", someRole(user.id));
      if (isOffered) put(next, null);
    },
    reopen: (next, typed) => {
      const isOpened = isFree.current;
      if (isOpened) put(next, typed);
      return isOpened;
    },
    close: () => put(null, null),
  };
}

/** The editor over the edited cell. */
export function EditedCell({
  editing: { place, draft, writes, open, reopen, close },
  shown,
  query,
  scroller,
}: {
  readonly editing: CellEditing;
  readonly shown: Shown;
  /** The parameters of the list. */
  readonly query: string;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  if (place === null) return null;
  const { columns, rows, page } = shown;
  const field = [columns.title, ...columns.rest].find(({ name }) => name === place.field);
  const row = rows.find(({ id }) => id === place.id);
  const cell = cellAt(scroller.current, place);
  if (field === undefined || row === undefined || cell === null) return null;
  return (
    <CellEditor
      key={`${place.id} ${place.field}`}
      resource={shown.resource}
      columns={columns}
      query={query}
      field={field}
      row={row}
      etag={page.find(({ id }) => id === row.id)?.etag ?? "*"}
      draft={draft}
      cell={cell}
      writes={writes}
      onClose={close}
      onOpen={open}
      onRefused={(typed) => reopen(place, typed)}
    />
  );
}
