import type { Field, Resource } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { type PeriodUnit, periodUnits } from "../../text/dates.js";
import { enTotals } from "../../text/en/lists/totals.js";
import { filterFields, linkIn } from "../filter/linked-fields.js";
import { kindOf } from "../kinds.js";

/** Maximum length of texts by which the API can group. */
const mostCharacters = 255;

/** A field by which the records of a list can be grouped. */
export interface GroupChoice {
  /** Its name in the address and the API: `status`, `customer.country`, `placedAt:month`. */
  readonly key: string;
  readonly label: string;
  readonly field: Field;
  /** The unit for dates and times; null for other fields. */
  readonly unit: PeriodUnit | null;
}

/** What a list can be grouped by: values, linked records, and calendar units of the record's dates and times. */
export function groupChoices(resource: Resource): readonly GroupChoice[] {
  return filterFields(resource).flatMap((field): readonly GroupChoice[] => {
    const label = labelOf(field);
    const isOwn = linkIn(field.name) === null;
    const one = [{ key: field.name, label, field, unit: null }];
    switch (kindOf(field).grouping) {
      case "values":
        return one;
      case "link":
        // Only if the caller may read the linked records.
        return field.link === undefined ? [] : one;
      case "texts":
        return field.unique === true || (field.maxLength ?? 0) > mostCharacters ? [] : one;
      case "numbers":
        return field.integer === true && field.unique !== true ? one : [];
      case "days":
      case "moments":
        return periodUnits.flatMap((unit) =>
          isOwn
            ? [{ key: `${field.name}:${unit}`, label: enTotals.units[unit](label), field, unit }]
            : [],
        );
      default:
        return [];
    }
  });
}
