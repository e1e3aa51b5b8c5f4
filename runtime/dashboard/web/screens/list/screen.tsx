import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useReducer, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../api/account/session.js";
import { serverTime } from "../../api/client/client.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, recordPath, titleOf } from "../../api/records/descriptors.js";
import { listQuery } from "../../api/records/queries.js";
import { here } from "../../browser/address/address.js";
import { Pager } from "../../parts/page/pager.js";
import "./screen.css";
import { enLook } from "../../text/en/quick-look.js";
import { BulkActions } from "./bulk/actions.js";
import { type BulkAction, SelectionDock } from "./bulk/dock.js";
import { conditionAt } from "./bulk/selected-records.js";
import { EmptyState } from "./empty-state.js";
import { useRecentSearches } from "./filters/use-recent-searches.js";
import { useKnownTotals } from "./known-totals.js";
import { useListState } from "./list-state.js";
import { QuickLook } from "./quick-look.js";
import { perPages } from "./rows/columns.js";
import { useListKeys } from "./rows/list-keys.js";
import { Rows, type Shown } from "./rows/rows.js";
import { nothing, selected } from "./rows/selection.js";
import { sortedBy } from "./rows/sorting.js";
import { useStableCallbacks } from "./stable-callbacks.js";
import { Tools } from "./tools.js";
import { Dropped, ListTop } from "./top.js";
import { useReturn } from "./use-return.js";
import { ViewTabs } from "./views/tabs.js";

/** The row of a quick look, and the address of the list that it is in. */
interface Looked {
  readonly id: string;
  readonly address: string;
}

export default function List({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const [, go] = useLocation();
  const state = useListState(resource);
  const { asked, ask, columns, layout, setLayout, perPage, view } = state;
  const list = useQuery(listQuery(user.id, resource.name, state.query));
  const [selection, select] = useReducer(selected, nothing);
  const page = list.data;
  useRecentSearches(user.id, resource.name, page === undefined ? "" : state.search);
  const searchField = useRef<HTMLInputElement>(null);
  const [action, setAction] = useState<BulkAction | null>(null);
  const [isFiltering, setFiltering] = useState(false);
  const [looked, setLooked] = useState<Looked | null>(null);
  const scroller = useRef<HTMLDivElement>(null);

  const shown: Shown | null = useMemo(
    () =>
      page === undefined
        ? null
        : {
            resource,
            columns,
            rows: page.data,
            page: page.data.map((row, at) => ({
              id: row.id,
              title: titleOf(resource, row),
              etag: page.meta.etags?.[at] ?? null,
            })),
            sort: asked.sort,
            widths: layout.widths,
            isCompact: layout.isCompact,
            isOld: list.isPlaceholderData,
          },
    [page, resource, columns, asked.sort, layout.widths, layout.isCompact, list.isPlaceholderData],
  );
  const drawn = useDeferredValue(shown);
  const address = here();
  const lookedRow = drawn?.rows.find(({ id }) => id === looked?.id) ?? null;
  const isGone = lookedRow === null && drawn !== null && !drawn.isOld;
  // It goes with its row, and with the list that was asked for; it comes back with neither.
  if (looked !== null && (looked.address !== address || isGone)) setLooked(null);
  useReturn(user.id, address, scroller, drawn !== null);
  const on = useStableCallbacks({
    sort: (field: string, isAdded: boolean) => ask({ sort: sortedBy(asked.sort, field, isAdded) }),
    width: (field: string, width: number | null) => {
      const { [field]: _, ...others } = layout.widths;
      setLayout({ ...layout, widths: width === null ? others : { ...others, [field]: width } });
    },
    look: (id: string) => setLooked({ id, address }),
    reach: (id: string) => setLooked((former) => (former === null ? null : { id, address })),
    search: (q: string) => ask({ q }, true),
  });
  const chosenPage = shown?.page ?? [];
  const keys = useStableCallbacks({
    search: () => searchField.current?.focus(),
    filter: () => setFiltering(true),
    create: () => {
      if (may(resource, "create")) go(`${listPath(resource)}/new`);
    },
    open: (id: string) => go(recordPath(resource.name, id)),
    look: (id: string) => setLooked(looked?.id === id ? null : { id, address }),
    leave: () => setLooked(null),
    choose: (id: string) => {
      const row = chosenPage.find((one) => one.id === id);
      if (row !== undefined && canSelect) select({ kind: "toggle", row, page: chosenPage });
    },
    extend: (from: string, to: string) => {
      if (canSelect) select({ kind: "extend", from, to, page: chosenPage });
    },
    chooseAll: () => select({ kind: "page", page: chosenPage, isOn: true }),
    page: (by: number) => {
      const next = asked.page + by;
      if (next >= 1 && next <= (page?.meta.totalPages ?? 1)) toPage(next);
    },
  });
  const canSelect = may(resource, "update") || may(resource, "delete");
  const toPage = (next: number) => {
    ask({ page: next });
    document.querySelector<HTMLElement>("h1")?.focus();
  };
  useListKeys(keys);
  const total = list.isPlaceholderData ? undefined : page?.meta.total;
  const totals = useKnownTotals(user.id, resource, { asked, total });

  return (
    <div className="with-drawer">
      <div className="list column">
        <div className="scroll" ref={scroller}>
          <ListTop resource={resource} onExport={() => setAction("export")} />
          <ViewTabs
            resource={resource}
            views={state.views}
            current={view?.id ?? null}
            totalOf={totals}
          />
          <Dropped parts={state.dropped} onDismiss={() => ask({ page: asked.page }, true)} />
          <Tools
            resource={resource}
            state={state}
            onSearch={on.search}
            searchRef={searchField}
            isFiltering={isFiltering}
            onFiltering={setFiltering}
          />
          <EmptyState
            resource={resource}
            list={list}
            isNarrowed={asked.q !== "" || asked.conditions.length > 0}
            onClear={() => ask({ q: "", conditions: [] })}
            onFirst={() => toPage(1)}
          />
          {drawn === null || drawn.rows.length === 0 ? null : (
            <Rows
              shown={drawn}
              selection={selection}
              onSelect={canSelect ? select : null}
              onSort={on.sort}
              onWidth={on.width}
              onLook={on.look}
              onReach={on.reach}
              looked={lookedRow?.id ?? null}
            />
          )}
        </div>
        {page === undefined ? null : selection.kind !== "none" ? (
          <SelectionDock
            resource={resource}
            selection={selection}
            total={page.meta.total}
            onAll={() => {
              const at = serverTime();
              const condition = conditionAt(resource, asked, at);
              select({ kind: "all", condition, at, total: page.meta.total });
            }}
            onClear={() => select({ kind: "clear" })}
            onAction={setAction}
          />
        ) : (
          <Pager
            page={asked.page}
            perPage={perPage}
            total={page.meta.total}
            onPage={toPage}
            perPages={perPages.includes(perPage) ? perPages : [...perPages, perPage]}
            onPerPage={(next) => {
              setLayout({ ...layout, perPage: next });
              ask({ perPage: null });
            }}
          />
        )}
        {action === null || page === undefined ? null : (
          <BulkActions
            action={action}
            resource={resource}
            asked={asked}
            columns={columns}
            selection={selection}
            total={page.meta.total}
            onClose={(isDone) => {
              setAction(null);
              if (isDone) select({ kind: "clear" });
            }}
          />
        )}
      </div>
      {/* The focus stays in the list: a screen reader has to be told. */}
      <p role="status" className="hidden">
        {lookedRow === null ? null : enLook.shown(titleOf(resource, lookedRow))}
      </p>
      {lookedRow === null ? null : (
        <QuickLook resource={resource} row={lookedRow} onClose={() => setLooked(null)} />
      )}
    </div>
  );
}
