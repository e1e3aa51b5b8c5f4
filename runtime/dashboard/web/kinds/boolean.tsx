import { Icon } from "../parts/button/icon.js";
import { en } from "../text/en/en.js";
import { asItIs } from "./filter/filter-controls.js";
import { OneOf } from "./filter/one-of.js";
import { type CellProps, type FilterChoiceProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";

function Mark({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return (
    <span className="row">
      {value === true ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
      <span className="hidden">{value === true ? en.common.yes : en.common.no}</span>
    </span>
  );
}

function Words({ value }: FilterWordsProps) {
  return <>{value === "true" ? en.common.yes : en.common.no}</>;
}

function YesOrNo(props: FilterChoiceProps) {
  return (
    <OneOf
      {...props}
      options={[
        { value: "true", label: en.common.yes },
        { value: "false", label: en.common.no },
      ]}
    />
  );
}

export const boolean = kind({
  cell: Mark,
  print: (_, value) => plain(value),
  filter: {
    operators: ["eq"],
    accepts: (_, value) => value === "true" || value === "false",
    words: Words,
    choice: YesOrNo,
    suited: asItIs,
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
