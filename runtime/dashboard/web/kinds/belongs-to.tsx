import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { isUuid } from "../../../values/uuid.js";
import { labelOf, linked, may, recordPath, titleOf } from "../api/descriptors.js";
import { titleQuestion } from "../api/questions.js";
import { useSession } from "../api/session.js";
import { enList } from "../text/en-list.js";
import { Blank, isBlank, plain } from "./blank.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";
import { LinkFilter } from "./link-filter.js";

/** The related record's title; the first characters of its id where the caller may not read the title. */
function Related({ field, row, resource }: CellProps) {
  const { resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const id = row[field.name];
  const record = linked(resource, field, row);
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

function Words({ field, value }: FilterWordsProps) {
  const { user, resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const isMine = field.resource === "users" && value === user.id;
  const record = useQuery({
    ...titleQuestion(user.id, target, value),
    enabled: target !== undefined && may(target, "get"),
  });
  if (isMine) return <>{enList.me}</>;
  return <bdi>{titleOf(target, record.data ?? { id: value })}</bdi>;
}

export const belongsTo = kind({
  cell: Related,
  print: (_, value, title) => title ?? plain(value),
  filter: {
    operators: ["eq", "ne"],
    accepts: (_, value) => isUuid(value),
    words: Words,
    choice: ({ field, value, onChange }) => (
      <LinkFilter
        label={labelOf(field)}
        resource={field.resource ?? ""}
        value={value}
        onChange={onChange}
      />
    ),
    since: null,
  },
  // The order of ids means nothing to people.
  isSortable: false,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
