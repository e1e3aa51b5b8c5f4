import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf, linked, titleOf } from "../../../api/records/descriptors.js";
import { recordQuery } from "../../../api/records/records.js";
import { releaseKeys } from "../../../browser/keyboard/typed-ahead.js";
import { controlOf } from "../../../kinds/input/inputs.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { enCell } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import type { Columns } from "../rows/columns.js";
import "./cell.css";
import { type CellPlace, neighbourOf, placeOf } from "./cells-of.js";
import type { CellWrites, Draft } from "./saving.js";
import { useCellSave } from "./use-cell-save.js";

const text = enCell;

export interface CellEditorProps {
  readonly resource: Resource;
  readonly columns: Columns;
  /** The parameters of the list. */
  readonly query: string;
  readonly field: Field;
  readonly row: Row;
  readonly etag: string;
  /** What the server has just refused in this cell. */
  readonly draft: Draft | null;
  readonly cell: HTMLTableCellElement;
  readonly writes: CellWrites;
  readonly onClose: () => void;
  readonly onOpen: (place: CellPlace) => void;
  /** Offers to edit a refused value again; false if the user has moved on. */
  readonly onRefused: (draft: Draft) => boolean;
}

/** Edits one value in a box over its cell. Enter saves, Tab saves and continues, Escape cancels. */
export default function CellEditor(props: CellEditorProps) {
  const { resource, field, row, etag, draft } = props;
  const { user } = useSession();
  // A list has only the beginning of a long text.
  const most = Number(kindOf(field).asks(field)[0]?.split(":")[1] ?? Number.NaN);
  const shown = row[field.name];
  const isCut = typeof shown === "string" && [...shown].length >= most;
  const whole = useQuery({ ...recordQuery(user.id, resource.name, row.id), enabled: isCut });
  if (draft !== null) return <Editor {...props} before={draft.before} etag={draft.etag} />;
  if (!isCut) return <Editor {...props} before={shown} />;
  if (whole.data !== undefined) {
    const { record, etag: now } = whole.data;
    return <Editor {...props} before={record[field.name]} etag={now === "*" ? etag : now} />;
  }
  return (
    <Box {...props} onLeave={props.onClose} onSubmit={() => {}}>
      <p role="status" className="small muted">
        {whole.isError ? sentence(whole.error) : text.loading}
      </p>
    </Box>
  );
}

/** Where the focus moves after a save: nowhere, to a neighboring cell, or to the clicked element. */
type Then = "stay" | "next" | "previous" | "away";

function Editor(props: CellEditorProps & { readonly before: unknown }) {
  const { resource, field, row, cell, draft, before, onClose, onOpen } = props;
  const id = useId();
  const { form } = kindOf(field);
  const start = form.typed(before, field);
  const [typed, setTyped] = useState(draft?.typed ?? start);
  const [problem, setProblem] = useState(draft?.problem);
  const save = useCellSave(props);
  const Input = controlOf(field).input;
  const leave = () => {
    onClose();
    cell.focus();
  };
  const go = (then: Then) => {
    const neighbour =
      then === "next" || then === "previous" ? neighbourOf(cell, then === "next" ? 1 : -1) : null;
    const place = placeOf(neighbour);
    if (then === "away") onClose();
    else leave();
    if (place !== null) onOpen(place);
  };
  const submit = (then: Then) => {
    if (form.compare(field, start, typed)) {
      go(then);
      return;
    }
    const parsed = form.parse(field, typed);
    // Only the API decides whether a pattern matches.
    if (parsed.kind === "problem" && parsed.isSure) {
      setProblem(parsed.message);
      return;
    }
    save(parsed.kind === "value" ? parsed.value : typed, typed);
    go(then);
  };
  return (
    <Box {...props} onLeave={leave} onSubmit={submit}>
      <Input
        field={field}
        resource={resource}
        id={id}
        value={typed}
        error={problem}
        onChange={(value) => {
          setTyped(value);
          setProblem(undefined);
        }}
        onLeave={() => {}}
        related={linked(field, row)}
        isChanged={typed !== start}
        file={null}
        onBusy={() => {}}
        onCreate={null}
      />
      <span className="row near">
        <Button
          look="primary"
          size="small"
          icon="check"
          label={en.common.save}
          onPress={() => submit("stay")}
        />
        <Button look="quiet" size="small" icon="close" label={en.common.cancel} onPress={leave} />
      </span>
    </Box>
  );
}

/** The box over the cell; it keeps the focus until it is left. */
function Box({
  resource,
  field,
  row,
  cell,
  onLeave,
  onSubmit,
  children,
}: Pick<CellEditorProps, "resource" | "field" | "row" | "cell"> & {
  readonly onLeave: () => void;
  readonly onSubmit: (then: Then) => void;
  readonly children: React.ReactNode;
}) {
  const box = useRef<HTMLFormElement>(null);
  const latest = useRef(onSubmit);
  latest.current = onSubmit;
  // Before painting: without a position, the box would appear at the end of the list.
  useLayoutEffect(() => {
    if (box.current === null) return;
    placeOver(cell, box.current);
    box.current.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [cell]);
  useEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement>(
      ":is(input:checked, input:not([type=radio]), select, textarea), input",
    );
    input?.focus({ preventScroll: true });
    if (input?.matches("input") === true) input.select();
    if (input !== null && input !== undefined) void releaseKeys();
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && box.current?.contains(target) === false) latest.current("away");
    };
    document.addEventListener("pointerdown", onPointerDown, true);
    return () => document.removeEventListener("pointerdown", onPointerDown, true);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const then = meantBy(event);
    if (then === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (then === "leave") onLeave();
    else onSubmit(then);
  };
  return (
    <form
      ref={box}
      className="cell-editor"
      data-layer=""
      noValidate
      aria-label={text.editor(labelOf(field), titleOf(resource, row))}
      onKeyDown={onKeyDown}
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
    </form>
  );
}

function meantBy(event: KeyboardEvent): Then | "leave" | null {
  // The key was handled by an open list of choices.
  if (event.defaultPrevented || event.nativeEvent.isComposing) return null;
  const { key, target } = event;
  if (key === "Escape") return "leave";
  if (key === "Tab") return event.shiftKey ? "previous" : "next";
  if (key !== "Enter" || (target as Element).matches("button")) return null;
  const isLine = (target as Element).matches("textarea") && !event.ctrlKey && !event.metaKey;
  return isLine ? null : "stay";
}

/** Margin to the visible edge, in pixels. */
const edge = 8;

/** Positions the box over its cell, within the visible part of the scrolling area. */
function placeOver(cell: HTMLElement, box: HTMLElement): void {
  const scroller = cell.closest<HTMLElement>(".scroll");
  if (scroller === null) return;
  const [around, at] = [scroller.getBoundingClientRect(), cell.getBoundingClientRect()];
  box.style.minWidth = `${Math.min(at.width, scroller.clientWidth)}px`;
  const most = scroller.clientWidth - box.offsetWidth - edge;
  const left = Math.max(0, Math.min(at.left - around.left, most));
  box.style.top = `${at.top - around.top + scroller.scrollTop}px`;
  box.style.left = `${left + scroller.scrollLeft}px`;
}
