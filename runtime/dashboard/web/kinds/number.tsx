import { decimal } from "../text/format.js";
import { asItIs, inputOf } from "./filter/filter-controls.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";

function Figure({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <>{decimal(Number(value), field.decimals)}</>;
}

function Words({ value }: FilterWordsProps) {
  return <>{decimal(Number(value))}</>;
}

export const number = kind({
  cell: Figure,
  print: ({ decimals }, value) => {
    if (isBlank(value)) return "";
    return decimals === undefined ? String(value) : Number(value).toFixed(decimals);
  },
  filter: {
    operators: ["eq", "ne", "gte", "lte", "gt", "lt"],
    accepts: (_, value) =>
      /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value)),
    words: Words,
    choice: inputOf("text", asItIs, (typed) => typed.trim().replace(",", "."), "decimal"),
    suited: asItIs,
    since: null,
    within: null,
  },
  isSortable: true,
  isAtEnd: true,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
