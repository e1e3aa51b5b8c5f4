import type { Field, Resource } from "../api/client/types.js";
import { hasTime, labelOf, may, readableFields } from "../api/records/descriptors.js";
import { createdAt } from "../api/records/fields.js";
import { type Measure, measureKey } from "../api/records/numbers.js";
import { kindOf } from "../kinds/kinds.js";
import { enCharts } from "../text/en/charts.js";

const text = enCharts;

/** The field by which records are grouped. */
export type Grouping =
  | { readonly kind: "values"; readonly field: Field }
  | { readonly kind: "link"; readonly field: Field; readonly to: Resource }
  | { readonly kind: "months"; readonly field: Field };

export interface Choosable<T> {
  /** The name of the choice in the address. */
  readonly key: string;
  readonly label: string;
  readonly value: T;
}

const own = ["createdAt", "updatedAt"];

export function chartFields(resource: Resource): readonly Field[] {
  return readableFields(resource).filter(({ name }) => !own.includes(name));
}

export function countedFields(resource: Resource): readonly Field[] {
  return chartFields(resource).filter((field) => kindOf(field).grouping === "values");
}

export function numberFields(resource: Resource): readonly Field[] {
  return chartFields(resource).filter((field) => kindOf(field).isNumeric);
}

/** Returns the available measures: the number of records, and the sum and average of each number field. */
export function measuresOf(resource: Resource): readonly Choosable<Measure>[] {
  const numbers = numberFields(resource);
  const offer = (measure: Measure, label: string) => ({
    key: measureKey(measure),
    label,
    value: measure,
  });
  return [
    offer({ kind: "count", field: null }, text.count),
    ...numbers.map((field) => offer({ kind: "sum", field: field.name }, text.sum(labelOf(field)))),
    ...numbers.map((field) =>
      offer({ kind: "avg", field: field.name }, text.average(labelOf(field))),
    ),
  ];
}

/** Returns the fields to group by. Links are included only if the caller may see the titles of their records. */
export function groupingsOf(
  resource: Resource,
  resources: readonly Resource[],
): readonly Choosable<Grouping>[] {
  const offer = (value: Grouping, label: string) => ({ key: value.field.name, label, value });
  const fields = chartFields(resource);
  const links = fields.flatMap((field) => {
    const to = resources.find(({ name }) => name === field.resource);
    if (kindOf(field).grouping !== "link" || to === undefined || !may(to, "list")) return [];
    return [offer({ kind: "link", field, to }, labelOf(field))];
  });
  const times = fields.filter((field) => {
    const { grouping } = kindOf(field);
    return grouping === "days" || grouping === "moments";
  });
  return [
    ...(hasTime(resource, "createdAt")
      ? [offer({ kind: "months", field: createdAt }, text.month(text.created))]
      : []),
    ...countedFields(resource).map((field) => offer({ kind: "values", field }, labelOf(field))),
    ...links,
    ...times.map((field) => offer({ kind: "months", field }, text.month(labelOf(field)))),
  ];
}

/** Whether a field is a number that can be summed. A unique number identifies a record instead. */
export function isQuantity(field: Field): boolean {
  return kindOf(field).isNumeric && field.unique !== true;
}

/** Returns the measure of the initial chart: the sum of a number by a link, if the resource has both. */
export function usualMeasure(resource: Resource): Measure {
  const numbers = chartFields(resource).filter(isQuantity);
  const field = numbers.find(({ decimals }) => decimals !== undefined) ?? numbers[0];
  return field === undefined ? { kind: "count", field: null } : { kind: "sum", field: field.name };
}

export function usualGrouping(choices: readonly Choosable<Grouping>[]): string {
  const link = choices.find(({ value }) => value.kind === "link");
  return (link ?? choices[0])?.key ?? "createdAt";
}

/** Returns the number of decimals of a measure's values: an average of integers has decimals. */
export function decimalsOf(resource: Resource, { kind, field }: Measure): number | undefined {
  if (kind === "count") return 0;
  const found = resource.fields.find(({ name }) => name === field);
  if (kind === "avg") return found?.decimals ?? 2;
  return found?.integer === true ? 0 : found?.decimals;
}
