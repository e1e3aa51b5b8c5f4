import { Link } from "wouter";
import { elementsOf, listCell } from "../../../../values/csv/list-cell.js";
import { cellWords } from "../../../../values/files/cell-words.js";
import { idForms } from "../../../../values/schema/id-types.js";
import { useSession } from "../../api/account/session.js";
import type { Row } from "../../api/client/types.js";
import { may, recordPath, titleOf } from "../../api/records/descriptors.js";
import { isIdOf } from "../../api/records/fields.js";
import { listedValues } from "../../browser/address/listed-values.js";
import { enKinds } from "../../text/en/kinds.js";
import { enList } from "../../text/en/list.js";
import { listed } from "../../text/format.js";
import { isOfList, oneOrMany, PlainWords } from "../filter/filter-controls.js";
import { LinkChoice } from "../filter/link-choice.js";
import { formDefaults, parsedAs, problem } from "../form-rules.js";
import {
  type CellProps,
  cell,
  type FilterWordsProps,
  filterDefaults,
  kind,
  kindDefaults,
} from "../kind.js";
import { Blank } from "../value/blank.js";
import { useTitles } from "../value/use-titles.js";
import "../../parts/status/chip.css";

/** Maximum number of titles in a filter; each may need a request. */
const mostNamed = 3;

/** The titles of the first linked records, and the number of the others. */
function Listed({ field, row }: CellProps) {
  const { resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const ids = idsOf(row[field.name]);
  if (ids.length === 0) return <Blank />;
  const included = field.links === undefined ? undefined : row[field.links];
  const { data = [] } = (included ?? {}) as { readonly data?: readonly Row[] };
  const shown = data.length > 0 ? data : ids.slice(0, mostNamed).map((id) => ({ id }) as Row);
  const others = ids.length - shown.length;
  return (
    <span className="row wrap">
      {shown.map((record) => (
        <span key={record.id} className="chip">
          {target === undefined || !may(target, "get") ? (
            <bdi className="cut">{titleOf(target, record)}</bdi>
          ) : (
            <Link className="cut" href={recordPath(target.name, record.id)} data-linked="">
              <bdi>{titleOf(target, record)}</bdi>
            </Link>
          )}
        </span>
      ))}
      {others > 0 ? <span className="muted small">{enList.othersToo(others)}</span> : null}
    </span>
  );
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function Words({ field, operator, value }: FilterWordsProps) {
  const ids = isOfList(operator) ? (listedValues(value) ?? []) : [value];
  const titles = useTitles(field, ids.slice(0, mostNamed));
  const others = ids.length - titles.length;
  const named = others === 0 ? titles : [...titles, enList.othersToo(others)];
  return <PlainWords value={listed(named, operator === "all" ? "and" : "or")} />;
}

/** Parses the ids in a form's text. */
export function typedIds(typed: string): readonly string[] {
  return elementsOf(typed);
}

export const links = kind({
  ...kindDefaults,
  cell: Listed,
  print: (_, value) => listCell(idsOf(value)),
  filter: {
    ...filterDefaults,
    operators: ["in", "nin", "all"],
    comparisons: "links",
    accepts: isIdOf,
    words: Words,
    choice: LinkChoice,
    suited: oneOrMany,
  },
  isSortable: false,
  isInPlace: false,
  form: {
    ...formDefaults,
    input: "records",
    typed: (value) => listCell(idsOf(value)),
    parse: (field, typed) => {
      const ids = typedIds(typed);
      if (!ids.every((id) => isIdOf(field, id))) return problem(enKinds.recordId, null);
      if (field.required === true && ids.length === 0) return problem(enKinds.oneRecord, null);
      const most = field.maxItems ?? ids.length;
      return ids.length > most ? problem(enKinds.mostRecords(most), null) : parsedAs(ids);
    },
    compare: ({ idType = "uuid" }, one, other) =>
      idForms[idType].usual(one) === idForms[idType].usual(other),
    width: () => "whole",
  },
  readCell: (field, written) => {
    const ids = elementsOf(written.trim());
    return cell(ids, ids.every((id) => isIdOf(field, id)) ? null : cellWords.recordId);
  },
});
