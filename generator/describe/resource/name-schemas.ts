import type { Schema } from "../../kind/kind.js";
import { isFile, isFiltered, kindOf } from "../../kind/kinds.js";
import type { Resource } from "../../model/model.js";
import type { DescribedNames } from "./names.js";

/** The schemas of `sort` and `fields`. */
export function nameSchemas(
  { fields }: Resource,
  names: DescribedNames,
): Readonly<Record<string, Schema>> {
  const sorted = [
    "id",
    ...fields.filter(isFiltered).map(({ name }) => name),
    "createdAt",
    "updatedAt",
  ];
  const shown = [
    "id",
    ...fields.flatMap((field) =>
      isFile(field) ? [field.name, `${field.name}File`] : [field.name],
    ),
    "createdAt",
    "updatedAt",
  ];
  const cut = fields.filter((field) => kindOf(field).canBeCut);
  const whole: Schema = { type: "string", enum: shown };
  const beginning: Schema = {
    type: "string",
    pattern: `^(?:${cut.map(({ name }) => name).join("|")}):(?:[1-9][0-9]{0,4}|100000)$`,
  };
  return {
    [names.Sort]: {
      type: "array",
      minItems: 1,
      maxItems: 3,
      items: { type: "string", enum: sorted.flatMap((name) => [name, `-${name}`]) },
    },
    [names.Field]: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: cut.length === 0 ? whole : { anyOf: [whole, beginning] },
    },
  };
}
