import { useLocation } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { listPath } from "../../../api/records/descriptors.js";
import { type ListAddress, readList } from "../../../browser/address/list-address.js";
import { useKept, wordsIn } from "../../../browser/storage/kept.js";
import { rulesOf } from "../../../kinds/query/list-rules.js";
import { Button } from "../../../parts/button/button.js";
import { Menu } from "../../../parts/overlay/menu.js";
import { enList } from "../../../text/en/list.js";
import { listed } from "../../../text/format.js";
import { ConditionWords } from "./condition-words.js";
import { conditionWords } from "./conditions.js";

const text = enList;

/**
 * The recent searches in this browser. The button is displayed even before the first search, so that it moves nothing
 * later.
 */
export function Recent({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const [, go] = useLocation();
  const [searches] = useKept(user.id, `searches:${resource.name}`, wordsIn);
  const button = (
    <Button
      look="quiet"
      size="small"
      icon="clock"
      barred={searches.length === 0 ? text.noRecent : undefined}
    >
      {text.recent}
    </Button>
  );
  if (searches.length === 0) return button;
  return (
    <Menu
      label={text.recentSearches}
      button={button}
      entries={searches.map((search) => {
        const { listing } = readList(search, rulesOf(resource));
        return {
          id: search,
          label: plainWords(resource, listing),
          content: <SearchWords resource={resource} listing={listing} />,
          onAction: () => go(`${listPath(resource)}?${search}`),
        };
      })}
    />
  );
}

/** Describes a search with the words of its chips. */
function SearchWords({
  resource,
  listing: { q, conditions },
}: {
  readonly resource: Resource;
  readonly listing: ListAddress;
}) {
  return (
    <>
      {q === "" ? null : <bdi>“{q}”</bdi>}
      {conditions.map((condition, at) => (
        <span key={`${condition.field} ${condition.operator}`}>
          {at === 0 && q === "" ? "" : ", "}
          <ConditionWords resource={resource} condition={condition} />
        </span>
      ))}
    </>
  );
}

function plainWords(resource: Resource, { q, conditions }: ListAddress): string {
  return listed(
    [
      ...(q === "" ? [] : [`“${q}”`]),
      ...conditions.map((condition) => conditionWords(resource, condition)),
    ],
    "and",
  );
}
