import { readTimestamp } from "../../../../values/time.js";
import { MomentField } from "../../parts/form/date-time-field.js";
import { localInput, utcTime, zone } from "../../text/dates.js";
import { enRecord } from "../../text/en/record.js";
import { described, joined } from "./described.js";
import type { InputProps } from "./input.js";

/** Marks an incomplete date or time: neither empty nor a value. */
const unfinished = "?";

/** A day has no zone and is the same everywhere. */
export function DayInput(props: InputProps) {
  const { value, onChange, onLeave } = props;
  return (
    <MomentField
      {...described(props)}
      type="date"
      min="0001-01-01"
      max="9999-12-31"
      value={value === unfinished ? "" : value}
      onChange={(day, isWhole) => onChange(isWhole ? day : unfinished)}
      onLeave={onLeave}
    />
  );
}

/** A time is entered in the user's zone and stored in UTC; both are displayed. */
export function MomentInput(props: InputProps) {
  const { value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  const iso = readTimestamp(value);
  const local = iso === null ? "" : localInput(iso);
  const zones = iso === null ? enRecord.zone(zone()) : enRecord.zoneAndUtc(zone(), utcTime(iso));
  return (
    <MomentField
      {...rest}
      type="datetime-local"
      min="0001-01-01T00:00"
      max="9999-12-31T23:59"
      // Uses the precision of the current value.
      step={local.length > 19 ? 0.001 : local.length > 16 ? 1 : 60}
      help={joined(help, zones)}
      value={local}
      onChange={(text, isWhole) => onChange(isWhole ? fromLocal(text) : unfinished)}
      onLeave={onLeave}
    />
  );
}

/** Converts a time in the user's time zone to UTC. */
function fromLocal(text: string): string {
  if (text === "") return "";
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? unfinished : new Date(time).toISOString();
}
