import { elementsOf, listCell } from "../../../../values/csv/list-cell.js";
import type { Field } from "../../api/client/types.js";
import type { Operator } from "../../browser/address/list-address.js";
import { joinValues, listedValues } from "../../browser/address/listed-values.js";
import { Tag } from "../../parts/page/page.js";
import { enKinds } from "../../text/en/kinds.js";
import { listed } from "../../text/format.js";
import { isOfList, oneOrMany, PlainWords } from "../filter/filter-controls.js";
import { formDefaults, type Parsed, parsedAs, problem } from "../form-rules.js";
import {
  type CellProps,
  cell,
  type Filter,
  type FilterWordsProps,
  filterDefaults,
  type Kind,
  kind,
  kindDefaults,
  type TypedValue,
} from "../kind.js";
import { Blank } from "../value/blank.js";

/** Maximum number of elements in a cell, which has one line. */
const mostShown = 5;

export function elementOf(field: Field): Field {
  return { ...field, list: false, required: true };
}

/** The kind of lists whose elements are of the given kind. */
export function listOf(element: Kind): Kind {
  const { cell: Element } = element;
  // Enum values are displayed as tags already.
  const isTag = element.form.input === "choice";

  function Elements({ field, row, resource }: CellProps) {
    const values = elementsIn(row[field.name]);
    if (values.length === 0) return <Blank />;
    const others = values.length - mostShown;
    return (
      <span className="row near">
        {values.slice(0, mostShown).map((value, at) => {
          const one = (
            <Element
              field={elementOf(field)}
              row={{ ...row, [field.name]: value }}
              resource={resource}
            />
          );
          // biome-ignore lint/suspicious/noArrayIndexKey: elements may repeat, and keep no state
          return <span key={at}>{isTag ? one : <Tag>{one}</Tag>}</span>;
        })}
        {others > 0 ? <span className="muted">{`+${others}`}</span> : null}
      </span>
    );
  }

  return kind({
    ...kindDefaults,
    cell: Elements,
    print: (field, value) =>
      listCell(elementsIn(value).map((one) => element.print(elementOf(field), one))),
    filter: element.filter && filterOf(element.filter),
    isSortable: false,
    isInPlace: false,
    form: {
      ...formDefaults,
      input: "list",
      typed: (value, field) =>
        listCell(elementsIn(value).map((one) => element.form.typed(one, elementOf(field)))),
      parse: (field, typed) => parseElements(element, field, elementsOf(typed)),
      compare: (field, one, other) => {
        const [mine, theirs] = [elementsOf(one), elementsOf(other)];
        const isSame = (text: string, at: number) =>
          element.form.compare(elementOf(field), text, theirs[at] ?? "");
        return mine.length === theirs.length && mine.every(isSame);
      },
      width: () => "whole",
    },
    readCell: (field, text, notation) => {
      const values: unknown[] = [];
      for (const one of elementsOf(text)) {
        const read = element.readCell(elementOf(field), one, notation);
        if (read.kind === "problem") return read;
        values.push(read.value);
      }
      return cell(values, listProblem(field, values));
    },
  });
}

export function elementsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseElements({ form }: Kind, field: Field, texts: readonly string[]): Parsed {
  const values: unknown[] = [];
  for (const text of texts) {
    const parsed = form.parse(elementOf(field), text);
    if (parsed.kind === "problem") {
      return { ...parsed, message: `${text}: ${parsed.message}` };
    }
    values.push(parsed.value);
  }
  const wrong = listProblem(field, values);
  return wrong === null ? parsedAs(values) : problem(wrong, values);
}

export function listProblem(
  { required, maxItems = Number.POSITIVE_INFINITY, distinct }: Field,
  values: readonly unknown[],
): string | null {
  if (values.length > maxItems) return enKinds.atMost(maxItems);
  if (required === true && values.length === 0) return enKinds.atLeastOne;
  const repeated = distinct === true && new Set(values).size < values.length;
  return repeated ? enKinds.repeated : null;
}

function filterOf(element: Filter): Filter {
  const { typing, words: Words, comparisons, operators } = element;
  // A calendar chooses one day.
  const isDay = element.since !== null;
  const isText = comparisons === "text";
  // A control that holds several values itself needs no text.
  const isTyped = typing === null && !operators.includes("in") && !isDay;

  function ListWords(props: FilterWordsProps) {
    const { operator, value } = props;
    if (!isOfList(operator) || typing !== null) return <Words {...props} />;
    const word = operator === "hasAny" ? "or" : "and";
    return <PlainWords value={listed(listedValues(value) ?? [], word)} />;
  }

  return {
    ...filterDefaults,
    operators: isDay ? ["has"] : ["has", "hasAny", "hasAll", ...(isText ? contains : [])],
    comparisons: isText ? "texts" : "list",
    accepts: (field, value, operator) => element.accepts(elementOf(field), value, operator),
    suited: oneOrMany,
    words: ListWords,
    choice: element.choice,
    typing: isTyped ? severalTexts : typing,
  };
}

const contains = ["contains"] as const;

/** Several texts separated by commas. */
const severalTexts = {
  write: (_: Field, value: string, operator: Operator) =>
    isOfList(operator) ? (listedValues(value) ?? []).join(", ") : value,
  read: (_: Field, typed: string, operator: Operator): TypedValue => {
    if (!isOfList(operator)) return { kind: "value", value: typed };
    const texts = typed.split(",").map((text) => text.trim());
    return { kind: "value", value: joinValues(texts.filter((text) => text !== "")) };
  },
};
