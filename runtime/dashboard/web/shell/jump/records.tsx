import { useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { useSession } from "../../api/account/session.js";
import type { Resource, Row } from "../../api/client/types.js";
import { may, recordPath, titleField, titleOf } from "../../api/records/descriptors.js";
import { isString } from "../../api/records/fields.js";
import { jumpQuery } from "../../api/records/record-search.js";
import { usedResources } from "../../browser/storage/recent.js";
import { highlightParams } from "../../kinds/query/list-parameters.js";
import { withoutMarks } from "../../kinds/value/marked.js";
import { useDebounced } from "../../parts/form/debounced.js";
import type { Place, PlaceGroup } from "./place.js";
import { placeIn } from "./places.js";

/** Maximum number of resources whose records are searched: the most recently used. */
const maxSearched = 3;
/** Minimum number of characters for a request. */
const leastTerm = 2;
/** Milliseconds between the last keystroke and the request. */
const pause = 200;

export interface JumpRecords {
  readonly groups: readonly PlaceGroup[];
  readonly isSearching: boolean;
}

/** Searches the most recently used resources. Until all have responded, the previous results stay. */
export function useFoundRecords(typed: string): JumpRecords {
  const { user, resources } = useSession();
  const term = useDebounced(typed.trim(), pause);
  const isSearchable = term.length >= leastTerm && typed.trim().length >= leastTerm;
  const searched = searchedOf(resources, usedResources(user.id));
  const answers = useQueries({
    queries: searched.map((resource) => ({
      ...jumpQuery(user.id, resource, { term, highlight: highlightParams(resource, { q: term }) }),
      enabled: isSearchable,
    })),
  });
  const former = useRef<readonly PlaceGroup[]>([]);
  if (!isSearchable) former.current = [];
  const isSearching = isSearchable && answers.some(({ isPending }) => isPending);
  if (isSearchable && !isSearching) {
    former.current = searched.flatMap((resource, at) => {
      // Resources that turn out not to be searchable have no results.
      const rows = answers[at]?.data?.rows ?? [];
      const places = rows.map((row) => ({
        ...placeIn(resource, recordPath(resource.name, row.id), titleOf(resource, row)),
        detail: answers[at]?.data?.detailOf(row),
        ...foundIn(resource, row, answers[at]?.data?.highlights?.[row.id] ?? {}),
      }));
      return places.length === 0
        ? []
        : [{ key: `in ${resource.name}`, name: resource.label, places }];
    });
  }
  return { groups: former.current, isSearching: isSearching || typed.trim() !== term };
}

/** Shows why a search found a record: by its title, or by another text. */
function foundIn(
  resource: Resource,
  row: Row,
  highlights: Readonly<Record<string, string>>,
): Pick<Place, "markedLabel" | "reason"> {
  const named = highlights[titleField(resource)?.name ?? ""];
  if (named === undefined) return { reason: Object.values(highlights)[0] };
  // The highlight of a long title has only fragments of it.
  return withoutMarks(named) === titleOf(resource, row) ? { markedLabel: named } : {};
}

/** Whether records have a title that users would search for. */
function hasTitle(resource: Resource): boolean {
  const title = titleField(resource);
  return title !== null && isString(title);
}

function searchedOf(resources: readonly Resource[], used: readonly string[]): readonly Resource[] {
  const rank = ({ name }: Resource) => (used.includes(name) ? used.indexOf(name) : used.length);
  return resources
    .filter((one) => may(one, "list") && hasTitle(one))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, maxSearched);
}
