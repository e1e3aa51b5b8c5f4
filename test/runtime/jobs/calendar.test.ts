import { describe, expect, test } from "vitest";
import { CalendarError, readCalendar } from "../../../runtime/jobs/index.js";
import { timeToRun } from "../../../runtime/jobs/run/timetable.js";

/** The times from then on, in UTC, as many as are expected. */
function times(cron: string, timezone: string, from: string, count: number): readonly string[] {
  const calendar = readCalendar(cron, timezone);
  const found: string[] = [];
  let at = new Date(from);
  for (let index = 0; index < count; index += 1) {
    at = calendar.next(at) ?? new Date(Number.NaN);
    found.push(at.toISOString().replace(":00.000Z", "Z"));
  }
  return found;
}

test.each([
  ["@hourly", "2026-01-01T00:00Z", ["2026-01-01T01:00Z", "2026-01-01T02:00Z"]],
  ["@daily", "2026-01-01T00:00Z", ["2026-01-02T00:00Z", "2026-01-03T00:00Z"]],
  ["@weekly", "2026-01-01T00:00Z", ["2026-01-04T00:00Z", "2026-01-11T00:00Z"]],
  ["@monthly", "2026-01-01T00:00Z", ["2026-02-01T00:00Z", "2026-03-01T00:00Z"]],
  ["*/20 9-10 * * mon-fri", "2026-01-02T10:30Z", ["2026-01-02T10:40Z", "2026-01-05T09:00Z"]],
  ["0 0 29 2 *", "2026-01-01T00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
  // As cron has it: either of both.
  [
    "0 0 13 * 5",
    "2026-01-01T00:00Z",
    ["2026-01-02T00:00Z", "2026-01-09T00:00Z", "2026-01-13T00:00Z"],
  ],
])("%s in UTC", (cron, from, expected) => {
  expect(times(cron, "UTC", from, expected.length)).toEqual(expected);
});

// Oslo goes from 2:00 to 3:00 on 2026-03-29 at 1:00 UTC, and from 3:00 back to 2:00 on 2026-10-25 at 1:00 UTC.
// Lord Howe goes back from 2:00 to 1:30 on 2026-04-05 (15:00 UTC the day before), and from 2:00 to 2:30 on 2026-10-04
// (15:30 UTC the day before). Havana goes from 0:00 to 1:00 on 2026-03-08 (5:00 UTC), and back on 2026-11-01 from 1:00
// to 0:00 (5:00 UTC).
describe.each<[string, string, string, string, readonly string[]]>([
  [
    "passed over",
    "Europe/Oslo",
    "30 2 * * *",
    "2026-03-28T00:00Z",
    ["2026-03-28T01:30Z", "2026-03-29T01:00Z", "2026-03-30T00:30Z"],
  ],
  [
    "several passed over are one",
    "Europe/Oslo",
    "*/10 2 * * *",
    "2026-03-28T01:45Z",
    ["2026-03-28T01:50Z", "2026-03-29T01:00Z", "2026-03-30T00:00Z"],
  ],
  [
    "passed over, and due at its end too",
    "Europe/Oslo",
    "0 2,3 * * *",
    "2026-03-28T12:00Z",
    ["2026-03-29T01:00Z", "2026-03-30T00:00Z"],
  ],
  [
    "twice",
    "Europe/Oslo",
    "30 2 * * *",
    "2026-10-24T12:00Z",
    ["2026-10-25T00:30Z", "2026-10-26T01:30Z"],
  ],
  [
    "after the hour that comes twice",
    "Europe/Oslo",
    "0 3 * * *",
    "2026-10-24T12:00Z",
    ["2026-10-25T02:00Z", "2026-10-26T02:00Z"],
  ],
  [
    "each real hour, one twice",
    "Europe/Oslo",
    "0 * * * *",
    "2026-10-24T23:30Z",
    ["2026-10-25T00:00Z", "2026-10-25T01:00Z", "2026-10-25T02:00Z"],
  ],
  [
    "each real hour, one passed over",
    "Europe/Oslo",
    "30 * * * *",
    "2026-03-29T00:00Z",
    ["2026-03-29T00:30Z", "2026-03-29T01:30Z"],
  ],
  [
    "a step of hours",
    "Europe/Oslo",
    "15 */2 * * *",
    "2026-10-24T21:00Z",
    ["2026-10-24T22:15Z", "2026-10-25T00:15Z", "2026-10-25T01:15Z", "2026-10-25T03:15Z"],
  ],
  [
    "half an hour passed over",
    "Australia/Lord_Howe",
    "15 2 * * *",
    "2026-10-03T00:00Z",
    ["2026-10-03T15:30Z", "2026-10-04T15:15Z"],
  ],
  [
    "half an hour twice",
    "Australia/Lord_Howe",
    "45 1 * * *",
    "2026-04-03T20:00Z",
    ["2026-04-04T14:45Z", "2026-04-05T15:15Z"],
  ],
  [
    "half an hour twice, each real hour",
    "Australia/Lord_Howe",
    "45 * * * *",
    "2026-04-04T14:00Z",
    ["2026-04-04T14:45Z", "2026-04-04T15:15Z", "2026-04-04T16:15Z"],
  ],
  [
    "midnight passed over",
    "America/Havana",
    "0 0 * * *",
    "2026-03-07T12:00Z",
    ["2026-03-08T05:00Z", "2026-03-09T04:00Z"],
  ],
  [
    "midnight twice",
    "America/Havana",
    "0 0 * * *",
    "2026-10-31T12:00Z",
    ["2026-11-01T04:00Z", "2026-11-02T05:00Z"],
  ],
])("%s: %s", (_, timezone, cron, from, expected) => {
  test(cron, () => expect(times(cron, timezone, from, expected.length)).toEqual(expected));
});

test.each([
  ["0 0 30 2 *", "UTC", "never occurs"],
  ["0 3 * *", "UTC", "must have five fields"],
  ["0 0 3 * * *", "UTC", "must have five fields"],
  ["@yearly", "UTC", "must have five fields"],
  ["61 3 * * *", "UTC", "cannot be read"],
  ["0 3 * * monday-", "UTC", "cannot be read"],
  ["0 3 L * *", "UTC", '"L" must consist of numbers'],
  ["0 3 15W * *", "UTC", '"15W"'],
  ["0 3 * * 5#2", "UTC", '"5#2"'],
  ["0 3 * * FRI#2", "UTC", '"FRI#2"'],
  ["0 3 * * 5L", "UTC", '"5L"'],
  ["0 3 ? * *", "UTC", '"?"'],
  ["0 3 * * +mon", "UTC", '"+mon"'],
  ["0 3 * january *", "UTC", '"january"'],
  ["jan 3 * * *", "UTC", '"jan"'],
  ["0 3 * mon *", "UTC", '"mon"'],
  ["0,, 3 * * *", "UTC", '"0,,"'],
  ["0 3 * * *", "Europe/Olso", "is not an IANA time zone"],
])("%s in %s is refused", (cron, timezone, problem) => {
  const read = () => readCalendar(cron, timezone);
  expect(read).toThrow(CalendarError);
  expect(read).toThrow(problem);
});

test.each([
  ["0 3 * * mon-fri", "0 3 * * 1-5"],
  ["0 3 1 JAN,Jul *", "0 3 1 1,7 *"],
  ["*/15 8-18/2 1-7,15 * sun", "*/15 8-18/2 1-7,15 * 0"],
  ["0 3 * * 7", "0 3 * * 0"],
])("%s is the same as %s", (named, numbered) => {
  const from = "2026-01-01T00:00Z";
  expect(times(named, "UTC", from, 8)).toEqual(times(numbered, "UTC", from, 8));
});

describe("of scheduled times that passed while no process ran", () => {
  const nightly = readCalendar("0 3 * * *", "UTC");
  const day = 86_400_000;
  const run = (nextAt: string, now: string, catchUpMs = 0, calendar = nightly) =>
    timeToRun({ calendar, catchUpMs }, { nextAt: new Date(nextAt), now: new Date(now) });

  test.each<[string, string, number, string | null]>([
    ["punctual", "2026-01-02T03:00:01Z", 0, "2026-01-02T03:00:00.000Z"],
    ["missed by an hour", "2026-01-02T04:00:00Z", 0, null],
    ["missed by an hour, to be caught up", "2026-01-02T04:00:00Z", day, "2026-01-02T03:00:00.000Z"],
    ["25 days later, just due", "2026-01-27T03:00:01Z", 0, "2026-01-27T03:00:00.000Z"],
    ["25 days later, in between", "2026-01-27T12:00:00Z", 0, null],
    ["25 days later, to be caught up", "2026-01-27T12:00:00Z", day, "2026-01-27T03:00:00.000Z"],
  ])("%s: the last one, or none", (_, now, catchUpMs, expected) => {
    expect(run("2026-01-02T03:00:00Z", now, catchUpMs)?.toISOString() ?? null).toBe(expected);
  });

  test("a schedule of each minute runs once after 25 days", () => {
    const each = readCalendar("* * * * *", "Europe/Oslo");
    const last = run("2026-03-10T00:00:00Z", "2026-04-04T00:00:30Z", 0, each);
    expect(last?.toISOString()).toBe("2026-04-04T00:00:00.000Z");
  });
});
