import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Field, Page, Resource, Row } from "../../api/client/types.js";
import { listPath, may, streamsChanges, titleOf } from "../../api/records/descriptors.js";
import {
  type ListAddress,
  printList,
  printParams,
  readList,
  type Show,
} from "../../browser/address/list-address.js";
import { useKept } from "../../browser/storage/kept.js";
import { type View, viewPath, viewsOf, withView } from "../../browser/storage/views.js";
import {
  conditionParams,
  highlightParams,
  shownParams,
  sortParams,
} from "../../kinds/query/list-parameters.js";
import { rulesOf } from "../../kinds/query/list-rules.js";
import { pictureFields } from "../../kinds/query/list-shows.js";
import {
  type Columns,
  columnsOf,
  editableIn,
  fieldsOf,
  type Layout,
  layoutOf,
} from "./rows/columns.js";
import type { Shown } from "./rows/rows.js";
import { type SharedViews, useSharedViews } from "./views/shared-views.js";

/**
 * The state of a list. Its address has the query, so that it can be shared; the browser stores its layout and views.
 */
export interface ListState {
  readonly listing: ListAddress;
  /** The parts of the address that do not apply to this list. */
  readonly dropped: readonly string[];
  /** Changes the query. A choice adds a step to the browser's history; typing does not. */
  readonly ask: (change: Partial<ListAddress>, how?: { readonly isTyping: boolean }) => void;
  /** The query without its page and the view that it was opened from. */
  readonly search: string;
  readonly perPage: number;
  readonly columns: Columns;
  /** The columns are those of the open view, if there is one. */
  readonly layout: Layout;
  /** Columns chosen in a view belong to that view only. */
  readonly setLayout: (layout: Layout) => void;
  readonly views: readonly View[];
  /** The views of this browser, and the actions on shared ones. */
  readonly own: readonly View[];
  readonly shared: SharedViews;
  readonly view: View | null;
  /** Stores the views and opens one of them; null opens the whole list. */
  readonly setViews: (views: readonly View[], opened: View | null) => void;
  /** The parameters of the list's request. */
  readonly query: string;
}

export function useListState(resource: Resource): ListState {
  const { user } = useSession();
  const search = useSearch();
  const [, go] = useLocation();
  const [ownLayout, keepLayout] = useKept<Layout>(user.id, `list:${resource.name}`, layoutOf);
  const [views, keepViews] = useKept(user.id, `views:${resource.name}`, viewsOf);
  const { listing, dropped } = useMemo(
    () => readList(search, rulesOf(resource)),
    [search, resource],
  );
  const shared = useSharedViews(resource);
  const all = [...views, ...shared.views];
  const view = all.find(({ id }) => id === listing.view) ?? null;
  const layout = view === null ? ownLayout : { ...ownLayout, columns: view.columns };
  const chosen = layout.columns;
  const columns = useMemo(() => columnsOf(resource, chosen), [resource, chosen]);
  const perPage = listing.perPage ?? layout.perPage;
  const ask: ListState["ask"] = (change, { isTyping } = { isTyping: false }) => {
    const next = printList({ ...listing, page: 1, ...change });
    go(next === "" ? listPath(resource) : `${listPath(resource)}?${next}`, { replace: isTyping });
  };
  return {
    listing,
    dropped,
    ask,
    search: printList({ ...listing, page: 1, perPage: null, view: null }),
    perPage,
    columns,
    layout,
    setLayout: (next) => {
      // Shared views change only on an explicit command.
      if (view?.shared !== undefined && next.columns !== chosen) {
        keepLayout(next);
        ask({ view: null }, { isTyping: true });
        return;
      }
      keepLayout(view === null ? next : { ...next, columns: ownLayout.columns });
      if (view !== null && next.columns !== chosen) {
        keepViews(withView(views, { ...view, columns: next.columns }));
      }
    },
    views: all,
    own: views,
    shared,
    view,
    setViews: (next, opened) => {
      keepViews(next);
      go(opened === null ? listPath(resource) : viewPath(listPath(resource), opened));
    },
    query: useListQuery(resource, listing, { columns, perPage }),
  };
}

/** The table's content for a page; null if there is none. */
export function useShown(
  resource: Resource,
  { columns, layout, listing: { sort, show } }: ListState,
  { page, isOld }: { readonly page: Page<Row> | undefined; readonly isOld: boolean },
): Shown | null {
  const { widths, isCompact } = layout;
  return useMemo(
    () =>
      page === undefined
        ? null
        : {
            resource,
            columns,
            rows: page.data,
            highlights: page.meta.highlights ?? {},
            page: page.data.map((row, at) => ({
              id: row.id,
              title: titleOf(resource, row),
              etag: page.meta.etags?.[at] ?? null,
            })),
            sort,
            widths,
            isCompact,
            isOld,
            editable: editableIn(resource, columns),
            gallery: galleryOf(resource, show),
          },
    [page, resource, columns, sort, show, widths, isCompact, isOld],
  );
}

/** The field whose pictures a gallery shows; null if the list is not one. */
function galleryOf(resource: Resource, show: Show | null): Field | null {
  if (show?.as !== "gallery") return null;
  return pictureFields(resource).find(({ name }) => name === show.field) ?? null;
}

function useListQuery(
  resource: Resource,
  listing: ListAddress,
  { columns, perPage }: Pick<ListState, "columns" | "perPage">,
): string {
  const { resources } = useSession();
  return useMemo(() => {
    const gallery = galleryOf(resource, listing.show);
    const fields = [...fieldsOf(columns), ...(gallery === null ? [] : [gallery])];
    return printParams([
      ...conditionParams(resource, listing),
      ...highlightParams(resource, listing),
      ...sortParams(listing),
      ...(listing.page === 1 ? [] : [["page", String(listing.page)] as const]),
      ["perPage", String(perPage)],
      ...shownParams(resource, resources, fields),
      ...(may(resource, "update") || may(resource, "delete") ? [["etags", "true"] as const] : []),
      ...(streamsChanges(resource) ? [["position", "true"] as const] : []),
    ]);
  }, [resource, resources, listing, columns, perPage]);
}
