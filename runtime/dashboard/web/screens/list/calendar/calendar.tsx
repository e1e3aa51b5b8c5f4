import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource } from "../../../api/client/types.js";
import { labelOf, readableFields } from "../../../api/records/descriptors.js";
import { today as currentDay } from "../../../api/records/numbers.js";
import { useIsNarrow } from "../../../browser/use-is-narrow.js";
import { dateFields } from "../../../kinds/query/list-shows.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { Failure } from "../../../parts/page/page.js";
import { enCalendar } from "../../../text/en/lists/calendar.js";
import { count, locale } from "../../../text/format.js";
import type { ListState } from "../list-state.js";
import type { GroupsProps } from "../totals/foot.js";
import { DayList } from "./day-list.js";
import { Grid } from "./grid.js";
import { firstWeekday, monthAfter, weeksOf } from "./month.js";
import { useMoves } from "./moves/use-moves.js";
import { dayName, monthName } from "./names.js";
import { noneRead, placed } from "./placed.js";
import { useDays } from "./use-days.js";
import { useLive } from "./use-live.js";
import "./calendar.css";

const text = enCalendar;

/** A list's records on the days of a month, by one of their dates or times. */
export default function Calendar({ resource, state }: GroupsProps) {
  const { listing } = state;
  const field = readableFields(resource).find(({ name }) => name === listing.show?.field);
  return field === undefined ? null : <Month resource={resource} state={state} field={field} />;
}

function Month({ resource, state, field }: GroupsProps & { readonly field: Field }) {
  const { listing, ask } = state;
  const isNarrow = useIsNarrow();
  const today = currentDay();
  const month = listing.month ?? today.slice(0, 7);
  const weeks = weeksOf(month, firstWeekday(locale));
  const days = { resource, listing, field, days: weeks.flat() };
  const read = useDays(days);
  const { found } = read;
  const moves = useMoves(days, read);
  useLive(days, read);
  const { data, error, isPlaceholderData } = found;
  const known = data === undefined ? noneRead : placed(field, { ...data, rows: moves.rows });
  // The end of the month is unknown until the month is loaded.
  const records = isPlaceholderData ? { ...known, until: null } : known;
  const isWaiting = data === undefined || isPlaceholderData;
  const shown = { resource, listing, field, placed: records, month };
  return (
    <section className="calendar content">
      <Head resource={resource} state={state} field={field} month={month} today={today} />
      {error === null ? null : (
        <Failure text={sentence(error)} onRetry={() => void found.refetch()} />
      )}
      {records.until === null || data === undefined ? null : (
        <p className="small muted" role="status">
          {text.first(count(data.rows.length), dayName(records.until))}
        </p>
      )}
      {error !== null && data === undefined ? null : (
        <div aria-busy={isWaiting} data-old={isWaiting || undefined}>
          {isNarrow ? (
            <DayList {...shown} days={weeks.flat()} isWaiting={isWaiting} actions={moves.actions} />
          ) : (
            <Grid
              {...shown}
              today={today}
              weeks={weeks}
              onMonth={(next) => ask({ month: next })}
              actions={moves.actions}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** The month with its buttons, and the choice among several dates. */
function Head({
  resource,
  state: { ask },
  field,
  month,
  today,
}: {
  readonly resource: Resource;
  readonly state: ListState;
  readonly field: Field;
  readonly month: string;
  readonly today: string;
}) {
  const fields = dateFields(resource);
  const step = (by: number) => {
    const next = monthAfter(month, by);
    return next === null ? { barred: text.lastMonth } : { onPress: () => ask({ month: next }) };
  };
  return (
    <div className="row wrap head">
      <h2 aria-live="polite">{monthName(month)}</h2>
      <span className="row near">
        <Button look="quiet" size="small" icon="left" label={text.previous} {...step(-1)} />
        <Button
          size="small"
          onPress={() => {
            if (month !== today.slice(0, 7)) ask({ month: null });
          }}
        >
          {text.today}
        </Button>
        <Button look="quiet" size="small" icon="right" label={text.next} {...step(1)} />
      </span>
      {fields.length < 2 ? null : (
        <Choice
          label={text.date}
          isBeside
          value={field.name}
          options={fields.map((one) => ({ value: one.name, label: labelOf(one) }))}
          onChange={(name) => ask({ show: { as: "calendar", field: name } })}
        />
      )}
    </div>
  );
}
