import { afterEach, expect, test, vi } from "vitest";
import {
  dayOf,
  localDay,
  momentAfterDay,
  momentOfDay,
} from "../../../runtime/dashboard/web/text/dates.js";

const usual = process.env.TZ;
afterEach(() => {
  vi.useRealTimers();
  if (usual === undefined) delete process.env.TZ;
  else process.env.TZ = usual;
});

const minute = 60_000;
const day = 1440 * minute;

const nameOf = (number: number) => new Date(number * day).toISOString().slice(0, 10);

/** Every day of the calendar that meets these years. */
function daysOf(first: number, last: number): readonly string[] {
  const from = Date.UTC(first, 0, 1) / day;
  return Array.from({ length: Date.UTC(last + 1, 0, 1) / day - from }, (_, at) =>
    nameOf(from + at),
  );
}

test.each([
  ["America/Havana", 2024, 2027],
  ["Atlantic/Azores", 2024, 2027],
  ["America/Santiago", 2024, 2027],
  ["Asia/Beirut", 2024, 2027],
  ["Africa/Cairo", 2024, 2027],
  ["America/Asuncion", 2023, 2024],
  ["America/St_Johns", 2005, 2011],
  ["Pacific/Apia", 2011, 2012],
  ["Europe/Berlin", 2024, 2027],
])("a filter's day begins at the first midnight of %s, %i to %i", (zone, first, last) => {
  process.env.TZ = zone;
  for (const name of daysOf(first, last)) {
    const begins = Date.parse(momentOfDay(name));
    const isBegun = (at: number) => localDay(new Date(at).toISOString()) >= name;
    expect({ name, isBegun: isBegun(begins) }).toEqual({ name, isBegun: true });
    for (let before = minute; before <= 26 * 60 * minute; before += 29 * minute) {
      if (isBegun(begins - before)) expect.fail(`${name} has begun ${before} ms before`);
    }
    const next = nameOf(Date.parse(name) / day + 1);
    expect({ name, ends: momentAfterDay(name) }).toEqual({ name, ends: momentOfDay(next) });
  }
});

test.each([
  // Days that begin at 01:00, and the one before.
  ["America/Santiago", "2026-09-06T12:00:00Z", "2026-08-31", "2026-08-31T04:00:00.000Z"],
  ["America/Santiago", "2026-09-12T12:00:00Z", "2026-09-06", "2026-09-06T04:00:00.000Z"],
  ["America/Havana", "2026-11-01T04:30:00Z", "2026-10-26", "2026-10-26T04:00:00.000Z"],
  ["America/Havana", "2026-11-07T12:00:00Z", "2026-11-01", "2026-11-01T04:00:00.000Z"],
])("the last seven days of %s, requested at %s, begin on %s", (zone, now, date, moment) => {
  process.env.TZ = zone;
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
  expect(dayOf(7)).toEqual({ date, moment });
});

test("the last representable day has an end", () => {
  process.env.TZ = "UTC";
  expect(momentAfterDay("9999-12-31")).toBe("+010000-01-01T00:00:00.000Z");
  expect([momentAfterDay(""), momentOfDay("")]).toEqual(["", ""]);
});
