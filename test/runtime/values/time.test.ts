import { expect, test } from "vitest";
import { readDate, readTimestamp } from "../../../runtime/values/time.js";

const dayMs = 86_400_000;
const first = new Date("0001-01-01T00:00:00Z").getTime();
const last = new Date("9999-12-31T00:00:00Z").getTime();

test("each existing day is read, and no other", () => {
  // A step that meets every day of a month, and leap years of every kind.
  for (let time = first; time <= last; time += 31 * dayMs) {
    const day = new Date(time).toISOString().slice(0, 10);
    if (readDate(day) !== time) expect(readDate(day), day).toBe(time);
    const late = `${day}T23:59:59.999Z`;
    if (readTimestamp(late) !== late) expect(readTimestamp(late)).toBe(late);
  }
  const ends = ["2024-02-29", "2000-02-29", "2023-02-28", "2023-12-31", "2023-04-30"];
  for (const day of ends) expect(readDate(day), day).toBe(new Date(day).getTime());
  for (const day of [
    ...["2023-02-29", "1900-02-29", "2023-04-31", "2023-06-31", "2023-13-01", "2023-00-10"],
    ...["2023-01-00", "2023-01-32", "0000-01-01", "2023-1-01", "2023/01/01", "20230-1-01"],
    ...["2023-01-1x", " 2023-01-1", "2023-01-01 ", "-023-01-01", "+023-01-01", ""],
  ]) {
    expect(readDate(day), day).toBeNull();
    expect(readTimestamp(`${day}T00:00:00Z`), day).toBeNull();
    expect(readTimestamp(`${day}T00:00:00+00:00`), day).toBeNull();
  }
});

test.each([
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00.123Z"],
  ["2026-01-31t12:00:00.1239z", "2026-01-31T12:00:00.123Z"],
  ["2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500Z"],
  ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00.000Z"],
  ["2026-01-31T23:30:00-01:00", "2026-02-01T00:30:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["0001-01-01T00:00:00+01:00", null],
  ["9999-12-31T23:59:59-01:00", null],
  ["2026-01-31T24:00:00Z", null],
  ["2026-01-31T12:60:00Z", null],
  ["2026-01-31T12:00:60Z", null],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z"],
  ["2016-12-31T23:59:60.5Z", "2016-12-31T23:59:59.999Z"],
  ["2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59.999Z"],
  ["2016-12-31T18:29:60.000000001-05:30", "2016-12-31T23:59:59.999Z"],
  ["9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z"],
  ["0001-01-01T00:59:60+01:00", null],
  ["2016-12-31T23:59:61Z", null],
  ["2016-12-31T23:59:60+01:00", null],
  ["2026-01-31T12:00:00,123Z", null],
  ["2026-01-31T12:00:00.12xZ", null],
  ["2026-01-31T12-00-00Z", null],
  ["2026-01-31 12:00:00Z", null],
  ["2026-01-31T12:00:00", null],
  ["2026-01-31T1x:00:00Z", null],
])("%s is the time %s", (text, expected) => {
  expect(readTimestamp(text)).toBe(expected);
});
