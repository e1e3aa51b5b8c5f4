import { cellWords } from "../../../values/files/cell-words.js";
import { Icon } from "../parts/button/icon.js";
import { en } from "../text/en/en.js";
import { OneOf } from "./filter/one-of.js";
import { formDefaults, parsedAs, parsing } from "./form-rules.js";
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

function Mark({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return (
    <span className="row">
      {value === true ? (
        <Icon name="check" />
      ) : (
        // An icon, because a dash means an empty value.
        <span className="muted">
          <Icon name="close" />
        </span>
      )}
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
  ...kindDefaults,
  cell: Mark,
  filter: {
    ...filterDefaults,
    operators: ["eq"],
    comparisons: "whole",
    accepts: (_, value) => value === "true" || value === "false",
    words: Words,
    choice: YesOrNo,
  },
  grouping: "values",
  words: (value) => (String(value) === "true" ? en.common.yes : en.common.no),
  form: {
    ...formDefaults,
    input: "switch",
    parse: parsing((_, typed) => parsedAs(typed === "true")),
    // A switch always has a value.
    initial: ({ required }) => (required === true ? "false" : ""),
    width: () => "third",
  },
  readCell: (_, written) => {
    const word = written.trim().toLowerCase();
    if (word === "true" || word === "false") return cell(word === "true", null);
    return cell(null, cellWords.boolean);
  },
});
