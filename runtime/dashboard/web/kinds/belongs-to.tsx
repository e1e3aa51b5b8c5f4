import { Link } from "wouter";
import { isUuid } from "../../../values/uuid.js";
import { useSession } from "../api/account/session.js";
import { linked, may, recordPath, titleOf } from "../api/records/descriptors.js";
import { listedValues } from "../browser/address/listed-values.js";
import { enList } from "../text/en/list.js";
import { listed } from "../text/format.js";
import { isOfList, oneOrMany } from "./filter/filter-controls.js";
import { LinkFilter } from "./filter/link-filter.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";
import { useTitles } from "./value/use-titles.js";

/** Titles that a filter names; each may take a request. */
const mostNamed = 3;

/** The related record's title; the first characters of its id where the caller may not read the title. */
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
    <Link href={recordPath(target.name, key)}>
      <bdi title={title}>{title}</bdi>
    </Link>
  );
}

function Words({ field, operator, value }: FilterWordsProps) {
  const ids = isOfList(operator) ? (listedValues(value) ?? []) : [value];
  const titles = useTitles(field, ids.slice(0, mostNamed));
  const others = ids.length - titles.length;
  return <bdi>{listed(others === 0 ? titles : [...titles, enList.othersToo(others)], "or")}</bdi>;
}

export const belongsTo = kind({
  cell: Related,
  print: (_, value, title) => title ?? plain(value),
  filter: {
    operators: ["eq", "ne", "in", "nin"],
    accepts: (_, value) => isUuid(value),
    words: Words,
    choice: LinkFilter,
    suited: oneOrMany,
    typing: null,
    since: null,
    within: null,
  },
  // The order of ids means nothing to people.
  isSortable: false,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
