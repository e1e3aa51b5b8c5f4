import { valueRequired } from "../../../../values/rules.js";
import { readDate, readTimestamp } from "../../../../values/time.js";
import type { Field } from "../../api/client/types.js";
import { MomentField } from "../../parts/form/date-time-field.js";
import { enRecord } from "../../text/en/record.js";
import { localInput, timeZone, utcTime } from "../../text/format.js";
import { described, joined } from "./described.js";
import { formKind, type InputProps, type Parsed, parsedAs, problem } from "./form-kind.js";
import { ShownMoment, ShownText } from "./shown.js";

/** Stands for an incomplete day or time: not empty, and not a value. */
const unfinished = "?";

/** A day has no zone and is the same everywhere. */
function DateInput(props: InputProps) {
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

/** A time is entered in the reader's zone and stored in UTC; both are shown below. */
function TimestampInput(props: InputProps) {
  const { value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  const iso = readTimestamp(value);
  const local = iso === null ? "" : localInput(iso);
  const zone = iso === null ? enRecord.zone(timeZone) : enRecord.zoneAndUtc(timeZone, utcTime(iso));
  return (
    <MomentField
      {...rest}
      type="datetime-local"
      min="0001-01-01T00:00"
      max="9999-12-31T23:59"
      // As precise as the current value.
      step={local.length > 19 ? 0.001 : local.length > 16 ? 1 : 60}
      help={joined(help, zone)}
      value={local}
      onChange={(text, isWhole) => onChange(isWhole ? fromLocal(text) : unfinished)}
      onLeave={onLeave}
    />
  );
}

/** The UTC time of a time in the reader's zone. */
function fromLocal(text: string): string {
  if (text === "") return "";
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? unfinished : new Date(time).toISOString();
}

function parsed(field: Field, text: string, value: unknown, message: string): Parsed {
  if (text === "") return field.required === true ? problem(valueRequired, null) : parsedAs(null);
  return problem(value === null ? message : null, value);
}

export const date = formKind({
  input: DateInput,
  typed: (value) => (value === null || value === undefined ? "" : String(value)),
  parse: (field, text) =>
    parsed(field, text, readDate(text) === null ? null : text, enRecord.wholeDate),
  compare: (_, one, other) => one === other,
  width: () => "third",
  shown: ShownText,
  isProse: false,
});

export const timestamp = formKind({
  input: TimestampInput,
  typed: (value) => (typeof value === "string" ? (readTimestamp(value) ?? value) : ""),
  parse: (field, text) => parsed(field, text, readTimestamp(text), enRecord.wholeTime),
  compare: (_, one, other) => one === other,
  width: () => "half",
  shown: ShownMoment,
  isProse: false,
});
