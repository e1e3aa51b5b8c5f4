import { type RefObject, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { mayWith, someRole } from "../../../api/records/descriptors.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import type { Shown } from "../rows/rows.js";
import type { CellEditorProps } from "./cell-editor.js";
import { type CellPlace, cellAt } from "./cells-of.js";

const CellEditor = lazyPart<CellEditorProps>({
  load: () => import("./cell-editor.js"),
  leave: ({ onClose }) => onClose(),
});

export interface CellEditing {
  readonly place: CellPlace | null;
  /** Opens the editor on a cell, if its row may be changed. */
  readonly open: (place: CellPlace) => void;
  readonly close: () => void;
}

export function useCellEditing(shown: Shown | null): CellEditing {
  const { user } = useSession();
  const [place, setPlace] = useState<CellPlace | null>(null);
  return {
    place,
    open: (next) => {
      const row = shown?.rows.find(({ id }) => id === next.id);
      if (shown === null || row === undefined) return;
      const isOffered =
        shown.editable.has(next.field) &&
        mayWith({ resource: shown.resource, record: row }, "update", someRole(user.id));
      if (isOffered) setPlace(next);
    },
    close: () => setPlace(null),
  };
}

/** The editor over the edited cell. */
export function EditedCell({
  editing: { place, open, close },
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
      cell={cell}
      onClose={close}
      onOpen={open}
    />
  );
}
