import { takesList } from "../../../../../values/operators.js";
import type { Field, Resource } from "../../../api/client/types.js";
import { ownTitleFields, readableFields } from "../../../api/records/descriptors.js";
import { type ListAddress, readList } from "../../../browser/address/list-address.js";
import { listedValues } from "../../../browser/address/listed-values.js";
import { conditionParams } from "../../../kinds/filter/list-parameters.js";
import { kindOf } from "../../../kinds/kinds.js";
import { type Columns, fieldsOf } from "../rows/columns.js";

/** What a stream watches for a list: its conditions, and the fields of its columns. The search is not among them. */
export function watchedBy(resource: Resource, asked: ListAddress, columns: Columns): object {
  const fields = readableFields(resource);
  const params = conditionParams(resource, { q: "", conditions: asked.conditions });
  const { asked: written } = readList(
    new URLSearchParams([...params].map((one) => [...one])).toString(),
    {
      accepts: () => true,
      sortsBy: () => false,
    },
  );
  const conditions = written.conditions.map(({ field: name, operator, value }) => {
    const field = fields.find((one) => one.name === name);
    if (operator !== "eq" && operator !== "days" && operator !== "day" && takesList(operator)) {
      const values = listedValues(value) ?? [];
      return { [name]: { [operator]: values.map((one) => jsonOf(field, one)) } };
    }
    const compared = jsonOf(field, value);
    return { [name]: operator === "eq" ? compared : { [operator]: compared } };
  });
  const names = [...fieldsOf(columns), ...ownTitleFields(resource)].flatMap((field) =>
    field.name === "id" ? [] : [field.name],
  );
  return {
    ...(conditions.length === 0 ? {} : { where: { and: conditions } }),
    fields: names.length === 0 ? ["id"] : [...new Set(names)],
  };
}

/** A value of an address as JSON has it; an empty one is null. */
function jsonOf(field: Field | undefined, text: string): unknown {
  if (text === "") return null;
  if (field === undefined) return text;
  if (kindOf(field).isNumeric) return Number(text);
  return field.type === "boolean" ? text === "true" : text;
}
