import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import {
  inSentence,
  labelOf,
  readableFields,
  things,
  titleField,
} from "../../../api/records/descriptors.js";
import { isString } from "../../../api/records/fields.js";
import type { Condition } from "../../../browser/address/list-address.js";
import { Button } from "../../../parts/button/button.js";
import { enList } from "../../../text/en/list.js";
import { listed } from "../../../text/format.js";

const text = enList;
/** Maximum number of links offered. */
const mostOffered = 3;

export interface NothingFoundProps {
  readonly resource: Resource;
  /** The search term; empty if the list is only filtered. */
  readonly term: string;
  readonly onClear: () => void;
  /** Replaces the search with a condition on a link. */
  readonly onInstead: (condition: Condition) => void;
}

/** States the search term and the searched fields, and offers to search titles of linked records instead. */
export function NothingFound({ resource, term, onClear, onInstead }: NothingFoundProps) {
  const { resources } = useSession();
  const searched = readableFields(resource).filter(
    (field) => isString(field) && field.name !== "id",
  );
  const { linkedFields = [] } = resource;
  const titles = readableFields(resource).flatMap(({ link, resource: to }) => {
    const target = resources.find(({ name }) => name === to);
    const title = target === undefined ? { name: "name" } : titleField(target);
    const field = linkedFields.find(({ name }) => name === `${link}.${title?.name}`);
    if (title === null || field === undefined || !isString(field)) return [];
    const whose = target === undefined ? text.accounts : things(target);
    return [{ field, words: text.searchInstead(whose, inSentence(labelOf(title))) }];
  });
  if (term === "") {
    return (
      <>
        <p className="strong">{text.noneMatch(resource.label)}</p>
        <Button onPress={onClear}>{text.clearAll}</Button>
      </>
    );
  }
  return (
    <>
      <p className="strong">{text.nothingHas(resource.label, term)}</p>
      {searched.length === 0 ? null : (
        <p className="muted">{text.searched(listed(searched.map(labelOf), "and"))}</p>
      )}
      <div className="row wrap">
        {titles.slice(0, mostOffered).map(({ field, words }) => (
          <Button
            key={field.name}
            icon="search"
            onPress={() =>
              onInstead({ field: field.name, operator: "contains", value: term.trim() })
            }
          >
            {titles.filter((one) => one.words === words).length === 1
              ? words
              : text.searchBehind(labelOf(field))}
          </Button>
        ))}
        <Button onPress={onClear}>{text.clearAll}</Button>
      </div>
    </>
  );
}
