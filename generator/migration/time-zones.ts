import type { Problem } from "../../runtime/values/problem.js";
import { timeNames } from "../../runtime/values/schema/record-times.js";
import type { AdoptedColumn, Schema } from "../../runtime/values/schema/schema.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { zoneOf } from "../model/column-sql.js";
import type { Model, Resource } from "../model/model.js";
import { issue, problemsOf } from "./problems-of.js";

/**
 * Returns problems with time zones that are missing, or specified for columns that store their own or did not exist
 * before the app.
 */
export function timeZoneProblems(
  descriptors: readonly Descriptor[],
  model: Model,
  { tables }: Schema,
): readonly Problem[] {
  return problemsOf(descriptors, model, (resource) => {
    const adopted = tables.find(({ name }) => name === resource.table)?.adopted ?? null;
    return timesOf(resource).flatMap((time) => {
      const wrong = problemWith(time, adopted);
      return wrong === null ? [] : [issue(time.path, wrong.message, wrong.hint)];
    });
  });
}

interface Time {
  readonly path: readonly string[];
  readonly column: string;
  readonly timezone: string | null;
}

function timesOf({ stored, times, zones }: Resource): readonly Time[] {
  return [
    ...stored.flatMap((field): readonly Time[] => {
      const { name, column } = field;
      return "timezone" in field
        ? [{ path: ["fields", name], column, timezone: zoneOf(field) }]
        : [];
    }),
    ...timeNames.flatMap((name): readonly Time[] => {
      const column = times[name];
      return column === null ? [] : [{ path: [name], column, timezone: zones[name] }];
    }),
  ];
}

function problemWith({ path, column, timezone }: Time, adopted: readonly AdoptedColumn[] | null) {
  const name = `"${path.at(-1)}"`;
  if (adopted === null) {
    const message = `${name} has a time zone, which only columns of adopted tables can have`;
    return timezone === null ? null : { message, hint: "remove timezone" };
  }
  const type = adopted.find((one) => one.name === column)?.type ?? "";
  if (!type.startsWith("timestamp")) return null;
  const isLocal = type.endsWith("without time zone");
  if (isLocal && timezone === null) {
    const message = `${name} needs a time zone: the column ${column} is ${type}`;
    return { message, hint: "for example timezone: Europe/Oslo" };
  }
  if (isLocal || timezone === null) return null;
  const message = `${name} has a time zone, but the column ${column} is ${type}`;
  return { message, hint: "remove timezone" };
}
