import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { mayNameAccounts } from "../../api/account/profiles.js";
import { useSession } from "../../api/account/session.js";
import type { Field, Resource } from "../../api/client/types.js";
import { listPath, may } from "../../api/records/descriptors.js";
import {
  type ListAddress,
  printList,
  printParams,
  readList,
} from "../../browser/address/list-address.js";
import { conditionParams, shownParams, sortParams } from "../../kinds/filter/list-parameters.js";
import { rulesOf } from "../../kinds/filter/list-rules.js";
import type { Columns } from "./rows/columns.js";

export interface AddressedList {
  readonly asked: ListAddress;
  readonly dropped: readonly string[];
  /** Changes the query. A choice adds a step to the browser's history; typing does not. */
  readonly ask: (change: Partial<ListAddress>, isTyping?: boolean) => void;
}

/** The list's state, which is its address: it can be shared, stored, and returned to. */
export function useListAddress(resource: Resource): AddressedList {
  const search = useSearch();
  const [, go] = useLocation();
  const { asked, dropped } = useMemo(() => readList(search, rulesOf(resource)), [search, resource]);
  return {
    asked,
    dropped,
    ask: (change, isTyping = false) => {
      const next = printList({ ...asked, page: 1, ...change });
      go(next === "" ? listPath(resource) : `${listPath(resource)}?${next}`, { replace: isTyping });
    },
  };
}

/** The one request of a list, with or without the names of accounts. */
export function useListQuery(
  resource: Resource,
  asked: ListAddress,
  columns: Columns,
  perPage: number,
): { readonly query: string; readonly unnamed: string } {
  const { user, resources } = useSession();
  const isNaming = mayNameAccounts(user.id);
  return useMemo(() => {
    const print = (named: boolean) =>
      printParams([
        ...conditionParams(resource, asked),
        ...sortParams(asked),
        ...(asked.page === 1 ? [] : [["page", String(asked.page)] as const]),
        ["perPage", String(perPage)],
        ...shownParams(resource, resources, fieldsOf(columns), named),
        ...(may(resource, "update") || may(resource, "delete") ? [["etags", "true"] as const] : []),
      ]);
    return { query: print(isNaming), unnamed: print(false) };
  }, [resource, resources, asked, columns, perPage, isNaming]);
}

export function fieldsOf({ title, picture, rest }: Columns): readonly Field[] {
  return [...(title.name === "id" ? [] : [title]), ...(picture === null ? [] : [picture]), ...rest];
}
