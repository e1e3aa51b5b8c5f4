import { joinValues, listedValues } from "../browser/address/listed-values.js";
import { Tag } from "../parts/page/page.js";
import { enKinds } from "../text/en/kinds.js";
import { listed } from "../text/format.js";
import { isOfList, oneOrMany, PlainWords } from "./filter/filter-controls.js";
import { OneOf } from "./filter/one-of.js";
import { formDefaults, parsing, problem } from "./form-rules.js";
import {
  type CellProps,
  cell,
  type FilterChoiceProps,
  type FilterWordsProps,
  filterDefaults,
  kind,
  kindDefaults,
} from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";

/** The number of hues that a theme has for values. */
const hues = 4;

function Label({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const at = field.values?.indexOf(String(value)) ?? 0;
  return <Tag dot={(Math.max(at, 0) % hues) + 1}>{<bdi>{String(value)}</bdi>}</Tag>;
}

function Words({ operator, value }: FilterWordsProps) {
  return (
    <PlainWords value={isOfList(operator) ? listed(listedValues(value) ?? [], "or") : value} />
  );
}

function Values(props: FilterChoiceProps) {
  const { label, field, operator, value, onChange } = props;
  const values = field.values ?? [];
  if (!isOfList(operator)) {
    return <OneOf {...props} options={values.map((one) => ({ value: one, label: one }))} />;
  }
  const chosen = value === "" ? [] : (listedValues(value) ?? []);
  return (
    <fieldset className="stack near">
      <legend className="hidden">{label}</legend>
      {values.map((one) => (
        <label key={one} className="option">
          <input
            className="check"
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={({ target }) =>
              onChange(
                joinValues(
                  values.filter((other) =>
                    other === one ? target.checked : chosen.includes(other),
                  ),
                ),
              )
            }
          />
          <bdi>{one}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

function valueProblem(values: readonly string[] = [], value: string): string | null {
  return values.includes(value) ? null : enKinds.oneOf(values.join(", "));
}

export const enumeration = kind({
  ...kindDefaults,
  cell: Label,
  filter: {
    ...filterDefaults,
    operators: ["eq", "ne", "in", "nin"],
    comparisons: "whole",
    accepts: ({ values = [] }, value) => values.includes(value),
    words: Words,
    choice: Values,
    suited: oneOrMany,
  },
  grouping: "values",
  form: {
    ...formDefaults,
    input: "choice",
    parse: parsing(({ values }, typed) => problem(valueProblem(values, typed), typed)),
    width: () => "third",
  },
  readCell: ({ values }, value) => cell(value, valueProblem(values, value)),
});
