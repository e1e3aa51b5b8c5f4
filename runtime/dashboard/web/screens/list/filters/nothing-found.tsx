import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource } from "../../../api/client/types.js";
import {
  labelOf,
  may,
  readableFields,
  things,
  titleField,
} from "../../../api/records/descriptors.js";
import { isLink, isString } from "../../../api/records/fields.js";
import { searchQuery } from "../../../api/records/record-search.js";
import type { Condition } from "../../../browser/address/list-address.js";
import { joinValues } from "../../../browser/address/listed-values.js";
import { Button } from "../../../parts/button/button.js";
import { enList } from "../../../text/en/list.js";
import { listed } from "../../../text/format.js";

const text = enList;
/** The most links offered. */
const mostOffered = 3;

export interface NothingFoundProps {
  readonly resource: Resource;
  /** What was searched for; empty if only filters narrow the list. */
  readonly term: string;
  readonly onClear: () => void;
  /** Replaces the search with a condition on a link. */
  readonly onInstead: (condition: Condition) => void;
}

/** What was searched for and where, and the linked records that may have the term instead. */
export function NothingFound({ resource, term, onClear, onInstead }: NothingFoundProps) {
  const { resources } = useSession();
  const searched = readableFields(resource).filter(
    (field) => isString(field) && field.name !== "id",
  );
  const links = readableFields(resource).flatMap((field) => {
    const target = resources.find(({ name }) => name === field.resource);
    const hasTitle = target !== undefined && may(target, "list") && titleField(target) !== null;
    return isLink(field) && hasTitle ? [{ field, target }] : [];
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
        {links.slice(0, mostOffered).map(({ field, target }) => (
          <Instead
            key={`${field.name} ${term}`}
            field={field}
            target={target}
            term={term}
            onFound={onInstead}
          />
        ))}
        <Button onPress={onClear}>{text.clearAll}</Button>
      </div>
    </>
  );
}

/** Searches the titles of a link's records for the term. */
function Instead({
  field,
  target,
  term,
  onFound,
}: {
  readonly field: Field;
  readonly target: Resource;
  readonly term: string;
  readonly onFound: (condition: Condition) => void;
}) {
  const session = useSession();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const search = async () => {
    setBusy(true);
    try {
      const { rows } = await client.fetchQuery(searchQuery(session, target.name, term));
      const value = joinValues(rows.map(({ id }) => id));
      if (rows.length > 0) onFound({ field: field.name, operator: "in", value });
      else setSaid(text.nothingHas(target.label, term));
    } catch (error) {
      setSaid(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  if (said !== null) return <p role="status">{said}</p>;
  return (
    <Button icon="search" isBusy={isBusy} onPress={() => void search()}>
      {text.searchInstead(things(target))}
    </Button>
  );
}
