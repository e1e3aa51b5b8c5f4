import { Link } from "wouter";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { listPath, recordPath, titleOf } from "../../../api/records/descriptors.js";
import { type ListAddress, printList } from "../../../browser/address/list-address.js";
import { Button } from "../../../parts/button/button.js";
import { timeOfDay } from "../../../text/dates.js";
import { enCalendar } from "../../../text/en/lists/calendar.js";
import { count } from "../../../text/format.js";
import { narrowedToDay } from "../totals/group-conditions.js";
import { dayName } from "./names.js";
import { isMoment, type Placed } from "./placed.js";

const text = enCalendar;

export interface DaysProps {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly field: Field;
  readonly placed: Placed;
}

/** A day's records, each by its title, and a link to the others in the table. */
export function DayRecords({
  resource,
  listing,
  field,
  placed,
  day,
  most,
  tabIndex,
  onMove,
}: DaysProps & {
  readonly day: string;
  /** Maximum number of records shown. */
  readonly most: number;
  readonly tabIndex?: -1 | undefined;
  /** If set, each record has a button that moves it. */
  readonly onMove?: ((row: Row) => void) | undefined;
}) {
  const rows = placed.byDay.get(day) ?? [];
  const words = othersOf(placed, day, rows.length - most);
  if (rows.length === 0 && words === null) return null;
  const conditions = narrowedToDay(listing.conditions, field, day);
  const table = { ...listing, conditions, show: null, month: null, page: 1, view: null };
  return (
    <ul className="day-records">
      {rows.slice(0, most).map((row) => (
        <li key={row.id}>
          <Link
            className="title cut"
            href={recordPath(resource.name, row.id)}
            title={titleOf(resource, row)}
            data-id={row.id}
            tabIndex={tabIndex}
          >
            <Time field={field} row={row} />
            <bdi>{titleOf(resource, row)}</bdi>
          </Link>
          {onMove === undefined ? null : (
            <Button
              look="quiet"
              size="small"
              label={text.moveOf(titleOf(resource, row))}
              onPress={() => onMove(row)}
            >
              {text.moveShort}
            </Button>
          )}
        </li>
      ))}
      {words === null ? null : (
        <li>
          <Link
            className="cut"
            href={`${listPath(resource)}?${printList(table)}`}
            aria-label={text.moreOn(words, dayName(day))}
            tabIndex={tabIndex}
          >
            {words}
          </Link>
        </li>
      )}
    </ul>
  );
}

/**
 * Describes the records not shown. The last day that was read may have more of them; those of later days are unknown.
 */
function othersOf({ until }: Placed, day: string, others: number): string | null {
  if (until !== null && day > until) return text.rest;
  const many = count(Math.max(0, others));
  if (until === day) return others > 0 ? text.atLeast(many) : text.rest;
  return others > 0 ? text.more(many) : null;
}

function Time({ field, row }: { readonly field: Field; readonly row: Row }) {
  const value = String(row[field.name] ?? "");
  if (!isMoment(field)) return null;
  return (
    <>
      <time className="num muted" dateTime={value}>
        {timeOfDay(value)}
      </time>{" "}
    </>
  );
}
