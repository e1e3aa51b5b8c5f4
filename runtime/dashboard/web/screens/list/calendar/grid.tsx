import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { labelOf, things } from "../../../api/records/descriptors.js";
import { dayAfter } from "../../../text/dates.js";
import { enCalendar } from "../../../text/en/lists/calendar.js";
import { DayRecords, type DaysProps } from "./day-records.js";
import { dayIn, monthAfter } from "./month.js";
import { useDrag } from "./moves/use-drag.js";
import { useMoveKeys } from "./moves/use-move-keys.js";
import type { MoveActions } from "./moves/use-moves.js";
import { dayName, dayNumber, weekdayName } from "./names.js";

const text = enCalendar;

/** Maximum number of records shown per day. */
const mostShown = 3;

/** The roles of a grid whose cells take the focus. */
const as = { grid: { role: "grid" }, cell: { role: "gridcell" } } as const;

export interface GridProps extends DaysProps {
  readonly month: string;
  readonly today: string;
  readonly weeks: readonly (readonly string[])[];
  readonly onMonth: (month: string) => void;
  /** The functions that move records between days; null if records cannot be moved. */
  readonly actions: MoveActions | null;
}

/** A month as a grid of weeks. It is one tab stop, and the arrow keys move between days; with Alt, they move a record. */
export function Grid({ month, today, weeks, onMonth, actions, ...props }: GridProps) {
  const { resource, field } = props;
  const table = useRef<HTMLTableElement>(null);
  const [chosen, choose] = useState(today);
  const isMoving = useRef(false);
  const days = weeks.flat();
  const stop = [chosen, today].find((day) => days.includes(day)) ?? `${month}-01`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also after another month is shown
  useLayoutEffect(() => {
    if (!isMoving.current || stop !== chosen) return;
    isMoving.current = false;
    table.current?.querySelector<HTMLElement>(`td[data-day="${stop}"]`)?.focus();
  }, [stop, chosen, month]);
  const isFromRight = (cell: Element) => getComputedStyle(cell).direction === "rtl";
  const drag = useDrag(actions);
  const keys = useMoveKeys({
    table,
    actions,
    dayAfterKey: (key, day) => {
      const cell = table.current;
      const next = cell && nextDay(key, day, { weeks, isFromRight: isFromRight(cell) });
      return next !== null && days.includes(next) ? next : null;
    },
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (keys.onKeyDown(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const cell = (event.target as Element).closest<HTMLElement>("td[data-day]");
    const day = cell?.dataset.day;
    if (cell === null || day === undefined) return;
    if (event.key === "Enter" && event.target === cell) {
      cell.querySelector("a")?.focus();
      event.preventDefault();
      return;
    }
    const next = nextDay(event.key, day, { weeks, isFromRight: isFromRight(cell) });
    if (next === null) return;
    event.preventDefault();
    isMoving.current = true;
    choose(next);
    const isOfMonth = event.key.startsWith("Page") ? next.startsWith(month) : days.includes(next);
    if (!isOfMonth) onMonth(next.slice(0, 7));
  };
  return (
    <>
      <table
        ref={table}
        {...as.grid}
        className="month"
        onKeyDown={onKeyDown}
        {...keys.kept}
        {...drag.handlers}
      >
        <caption className="hidden">
          {text.caption(things(resource), labelOf(field))}
          <span>
            . {text.keys} {actions === null ? null : text.moveKeys}
          </span>
        </caption>
        <Weekdays days={weeks[0] ?? []} />
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  {...as.cell}
                  tabIndex={day === stop ? 0 : -1}
                  data-day={day}
                  data-over={day === drag.over || undefined}
                  data-outside={day.startsWith(month) ? undefined : ""}
                  aria-current={day === today ? "date" : undefined}
                  onFocus={() => choose(day)}
                >
                  <time className="num" dateTime={day}>
                    <span aria-hidden="true">{dayNumber(day)}</span>
                    <span className="hidden">{dayName(day)}</span>
                  </time>
                  <DayRecords
                    {...props}
                    day={day}
                    most={mostShown}
                    tabIndex={day === stop ? undefined : -1}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hidden" role="status">
        {keys.held === null ? null : dayName(keys.held.day)}
      </p>
    </>
  );
}

function Weekdays({ days }: { readonly days: readonly string[] }) {
  return (
    <thead>
      <tr>
        {days.map((day) => {
          const name = weekdayName(day);
          return (
            <th key={day} scope="col">
              <span aria-hidden="true">{name.short}</span>
              <span className="hidden">{name.long}</span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The day to which a key moves; null for other keys, and beyond the months of a calendar. */
function nextDay(
  key: string,
  day: string,
  {
    weeks,
    isFromRight,
  }: { readonly weeks: readonly (readonly string[])[]; readonly isFromRight: boolean },
): string | null {
  const week = weeks.find((one) => one.includes(day));
  const forward = isFromRight ? -1 : 1;
  const inMonth = (by: number) => {
    const month = monthAfter(day.slice(0, 7), by);
    return month === null ? null : dayIn(month, day);
  };
  const after = (by: number) => {
    const next = dayAfter(day, by);
    return monthAfter(next.slice(0, 7), 0) === null ? null : next;
  };
  switch (key) {
    case "ArrowRight":
      return after(forward);
    case "ArrowLeft":
      return after(-forward);
    case "ArrowDown":
      return after(7);
    case "ArrowUp":
      return after(-7);
    case "Home":
      return week?.[0] ?? null;
    case "End":
      return week?.at(-1) ?? null;
    case "PageDown":
      return inMonth(1);
    case "PageUp":
      return inMonth(-1);
    default:
      return null;
  }
}
