import { useState } from "react";
import type { Row } from "../../../api/client/types.js";
import { things, titleOf } from "../../../api/records/descriptors.js";
import { SkeletonRows } from "../../../parts/page/skeleton-rows.js";
import { enCalendar } from "../../../text/en/lists/calendar.js";
import { DayRecords, type DaysProps } from "./day-records.js";
import { MoveDialog } from "./moves/move-dialog.js";
import type { MoveActions } from "./moves/use-moves.js";
import { dayName, monthName } from "./names.js";
import { dayOfRecord } from "./placed.js";

/** Maximum number of records shown per day. */
const mostShown = 10;

/** The days of a month that have records, one below the other, for narrow windows. */
export function DayList({
  month,
  days,
  isWaiting,
  actions,
  ...props
}: DaysProps & {
  readonly month: string;
  readonly days: readonly string[];
  readonly isWaiting: boolean;
  /** The functions that move records between days; null if records cannot be moved. */
  readonly actions: MoveActions | null;
}) {
  const [moved, setMoved] = useState<Row | null>(null);
  const { byDay, until } = props.placed;
  const shown = days.filter(
    (day) => day.startsWith(month) && (byDay.has(day) || (until !== null && day >= until)),
  );
  if (shown.length === 0 && isWaiting) return <SkeletonRows columns={1} />;
  if (shown.length === 0) {
    return <p className="muted">{enCalendar.nothing(things(props.resource), monthName(month))}</p>;
  }
  return (
    <>
      <ol className="day-list">
        {shown.map((day) => (
          <li key={day}>
            <h3>{dayName(day)}</h3>
            <DayRecords
              {...props}
              day={day}
              most={mostShown}
              onMove={actions === null ? undefined : setMoved}
            />
          </li>
        ))}
      </ol>
      {moved === null ? null : (
        <MoveDialog
          title={titleOf(props.resource, moved)}
          day={dayOfRecord(props.field, moved)}
          onMove={(day) => actions?.write(moved.id, day)}
          onClose={() => setMoved(null)}
        />
      )}
    </>
  );
}
