import { joinValues, listedValues } from "../browser/address/listed-values.js";
import { Tag } from "../parts/page/page.js";
import { listed } from "../text/format.js";
import { isOfList, oneOrMany } from "./filter/filter-controls.js";
import { OneOf } from "./filter/one-of.js";
import { type CellProps, type FilterChoiceProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";

/** How many hues a theme has for values. */
const hues = 4;

function Label({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const at = field.values?.indexOf(String(value)) ?? 0;
  return <Tag dot={(Math.max(at, 0) % hues) + 1}>{<bdi>{String(value)}</bdi>}</Tag>;
}

function Words({ operator, value }: FilterWordsProps) {
  return <bdi>{isOfList(operator) ? listed(listedValues(value) ?? [], "or") : value}</bdi>;
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

export const enumeration = kind({
  cell: Label,
  print: (_, value) => plain(value),
  filter: {
    operators: ["eq", "ne", "in", "nin"],
    accepts: ({ values = [] }, value) => values.includes(value),
    words: Words,
    choice: Values,
    suited: oneOrMany,
    typing: null,
    since: null,
    within: null,
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
