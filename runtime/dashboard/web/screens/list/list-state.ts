import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may } from "../../api/records/descriptors.js";
import {
  type ListAddress,
  printList,
  printParams,
  readList,
} from "../../browser/address/list-address.js";
import { useKept } from "../../browser/storage/kept.js";
import { type View, viewPath, viewsOf, withView } from "../../browser/storage/views.js";
import { conditionParams, shownParams, sortParams } from "../../kinds/filter/list-parameters.js";
import { rulesOf } from "../../kinds/filter/list-rules.js";
import { type Columns, columnsOf, fieldsOf, type Layout, layoutOf } from "./rows/columns.js";

/** The state of a list. Its address has the query, so that it can be shared; the browser stores its look and views. */
export interface ListState {
  readonly asked: ListAddress;
  /** The parts of the address that mean nothing here. */
  readonly dropped: readonly string[];
  /** Changes the query. A choice adds a step to the browser's history; typing does not. */
  readonly ask: (change: Partial<ListAddress>, isTyping?: boolean) => void;
  /** The query without what no other visit needs: its page, and the view that it came from. */
  readonly search: string;
  readonly perPage: number;
  readonly columns: Columns;
  /** With the columns of the open view. */
  readonly layout: Layout;
  /** Columns that are chosen in a view belong to it alone. */
  readonly setLayout: (layout: Layout) => void;
  readonly views: readonly View[];
  /** The view that is open. */
  readonly view: View | null;
  /** Stores the views and opens one of them; null opens the whole list. */
  readonly setViews: (views: readonly View[], opened: View | null) => void;
  /** The parameters of the one request. */
  readonly query: string;
}

export function useListState(resource: Resource): ListState {
  const { user } = useSession();
  const search = useSearch();
  const [, go] = useLocation();
  const [ownLayout, keepLayout] = useKept<Layout>(user.id, `list:${resource.name}`, layoutOf);
  const [views, keepViews] = useKept(user.id, `views:${resource.name}`, viewsOf);
  const { asked, dropped } = useMemo(() => readList(search, rulesOf(resource)), [search, resource]);
  const view = views.find(({ id }) => id === asked.view) ?? null;
  const layout = view === null ? ownLayout : { ...ownLayout, columns: view.columns };
  const chosen = layout.columns;
  const columns = useMemo(() => columnsOf(resource, chosen), [resource, chosen]);
  const perPage = asked.perPage ?? layout.perPage;
  return {
    asked,
    dropped,
    ask: (change, isTyping = false) => {
      const next = printList({ ...asked, page: 1, ...change });
      go(next === "" ? listPath(resource) : `${listPath(resource)}?${next}`, { replace: isTyping });
    },
    search: printList({ ...asked, page: 1, perPage: null, view: null }),
    perPage,
    columns,
    layout,
    setLayout: (next) => {
      keepLayout(view === null ? next : { ...next, columns: ownLayout.columns });
      if (view !== null && next.columns !== chosen) {
        keepViews(withView(views, { ...view, columns: next.columns }));
      }
    },
    views,
    view,
    setViews: (next, opened) => {
      keepViews(next);
      go(opened === null ? listPath(resource) : viewPath(listPath(resource), opened));
    },
    query: useListQuery(resource, asked, columns, perPage),
  };
}

function useListQuery(
  resource: Resource,
  asked: ListAddress,
  columns: Columns,
  perPage: number,
): string {
  const { resources } = useSession();
  return useMemo(
    () =>
      printParams([
        ...conditionParams(resource, asked),
        ...sortParams(asked),
        ...(asked.page === 1 ? [] : [["page", String(asked.page)] as const]),
        ["perPage", String(perPage)],
        ...shownParams(resource, resources, fieldsOf(columns)),
        ...(may(resource, "update") || may(resource, "delete") ? [["etags", "true"] as const] : []),
      ]),
    [resource, resources, asked, columns, perPage],
  );
}
