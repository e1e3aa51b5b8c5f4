import { Link } from "wouter";
import { cellWords } from "../../../values/files/cell-words.js";
import { idForms } from "../../../values/schema/id-types.js";
import { useSession } from "../api/account/session.js";
import { linked, may, recordPath, titleOf } from "../api/records/descriptors.js";
import { isIdOf } from "../api/records/fields.js";
import { listedValues } from "../browser/address/listed-values.js";
import { enKinds } from "../text/en/kinds.js";
import { enList } from "../text/en/list.js";
import { listed } from "../text/format.js";
import { isOfList, oneOrMany, PlainWords } from "./filter/filter-controls.js";
import { LinkChoice } from "./filter/link-choice.js";
import { formDefaults, parsing, problem } from "./form-rules.js";
import {
  type CellProps,
  cell,
  type FilterWordsProps,
  filterDefaults,
  kind,
  kindDefaults,
  plain,
} from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";
import { useTitles } from "./value/use-titles.js";

/** Maximum number of titles in a filter; each may need a request. */
const mostNamed = 3;

/** The related record's title; the first characters of its id if the caller may not read the title. */
function Related({ field, row }: CellProps) {
  const { resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const id = row[field.name];
  const record = linked(field, row);
  if (isBlank(id) && record === null) return <Blank />;
  const key = record?.id ?? String(id);
  const title = titleOf(target, record ?? { id: key });
  if (target === undefined || !may(target, "get")) return <bdi>{title}</bdi>;
  return (
    <Link href={recordPath(target.name, key)} data-linked="">
      <bdi title={title}>{title}</bdi>
    </Link>
  );
}

function Words({ field, operator, value }: FilterWordsProps) {
  const ids = isOfList(operator) ? (listedValues(value) ?? []) : [value];
  const titles = useTitles(field, ids.slice(0, mostNamed));
  const others = ids.length - titles.length;
  const named = others === 0 ? titles : [...titles, enList.othersToo(others)];
  return <PlainWords value={listed(named, "or")} />;
}

export const belongsTo = kind({
  ...kindDefaults,
  cell: Related,
  print: (_, value, title) => title ?? plain(value),
  filter: {
    ...filterDefaults,
    operators: ["eq", "ne", "in", "nin"],
    comparisons: "whole",
    accepts: isIdOf,
    words: Words,
    choice: LinkChoice,
    suited: oneOrMany,
  },
  // Sorting by id is meaningless to users.
  isSortable: false,
  grouping: "link",
  form: {
    ...formDefaults,
    input: "record",
    typed: (value) => (typeof value === "string" ? value : ""),
    parse: parsing((field, typed) =>
      problem(isIdOf(field, typed) ? null : enKinds.recordId, typed),
    ),
    compare: ({ idType = "uuid" }, one, other) =>
      idForms[idType].usual(one) === idForms[idType].usual(other),
    width: () => "half",
  },
  readCell: (field, written) => {
    const value = written.trim();
    return cell(value, isIdOf(field, value) ? null : cellWords.recordId);
  },
});
