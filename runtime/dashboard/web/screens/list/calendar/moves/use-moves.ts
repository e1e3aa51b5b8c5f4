import { useEffect, useRef, useState } from "react";
import type { Row } from "../../../../api/client/types.js";
import { may } from "../../../../api/records/descriptors.js";
import { kindOf } from "../../../../kinds/kinds.js";
import { dayOfRecord, valueOnDay } from "../placed.js";
import type { CalendarDays, DaysRead } from "../use-days.js";
import { useMoveWrite } from "./use-move-write.js";

/** The functions that move a record to another day. */
export interface MoveActions {
  /** Shows a record on a day without writing it. */
  readonly show: (id: string, day: string) => void;
  /** Shows a record on a day, and writes it. */
  readonly write: (id: string, day: string) => void;
  /** Shows a record on its day again. */
  readonly reset: (id: string) => void;
}

export interface Moves {
  /** The records, on the days to which they are being moved. */
  readonly rows: readonly Row[];
  /** Null if the account may not change the records' days. */
  readonly actions: MoveActions | null;
}

/** Moves records of a calendar. A record stays on its new day while it is written, and returns if that is refused. */
export function useMoves(calendar: CalendarDays, days: DaysRead): Moves {
  const { resource, field } = calendar;
  const send = useMoveWrite(calendar, days);
  const [values, setValues] = useState<ReadonlyMap<string, unknown>>(new Map());
  /** The values that are being written. */
  const sent = useRef(new Map<string, unknown>());
  const written = useRef(new Set<string>());
  const { data } = days.found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the records that were read have what was written
  useEffect(() => {
    const ids = written.current;
    if (ids.size === 0) return;
    written.current = new Set();
    setValues((former) => new Map([...former].filter(([id]) => !ids.has(id))));
  }, [data]);
  const withValue = (row: Row, known: ReadonlyMap<string, unknown>): Row =>
    known.has(row.id) ? { ...row, [field.name]: known.get(row.id) } : row;
  const show = (id: string, value: unknown) =>
    setValues((former) => new Map([...former, [id, value]]));
  const reset = (id: string) => {
    if (sent.current.has(id)) return show(id, sent.current.get(id));
    setValues((former) => new Map([...former].filter(([other]) => other !== id)));
  };
  /** The record with the value that was last sent. */
  const rowOf = (id: string) => {
    const row = data?.rows.find((one) => one.id === id);
    return row === undefined ? null : withValue(row, sent.current);
  };
  const write = async (row: Row, etag: string, value: string) => {
    sent.current.set(row.id, value);
    show(row.id, value);
    const isDone = await send(row, etag, value);
    const isLast = sent.current.get(row.id) === value;
    if (isLast || !isDone) sent.current.delete(row.id);
    if (!isDone) reset(row.id);
    else if (isLast) written.current.add(row.id);
  };
  const isMovable = may(resource, "update") && field.writable !== false && kindOf(field).isInPlace;
  return {
    rows: (data?.rows ?? []).map((row) => withValue(row, values)),
    actions: isMovable
      ? {
          reset,
          show: (id, day) => show(id, valueOnDay(field, rowOf(id)?.[field.name], day)),
          write: (id, day) => {
            const row = rowOf(id);
            const etag = data?.etags.get(id);
            if (row === null || etag === undefined || dayOfRecord(field, row) === day) {
              return reset(id);
            }
            void write(row, etag, valueOnDay(field, row[field.name], day));
          },
        }
      : null,
  };
}
