import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useReducer, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, recordPath } from "../../api/records/descriptors.js";
import { listQuery } from "../../api/records/queries.js";
import { here } from "../../browser/address/address.js";
import { useArrivalAction } from "../../browser/address/arrival-action.js";
import "./screen.css";
import { BulkActions } from "./bulk/actions.js";
import type { BulkAction } from "./bulk/dock.js";
import { ListDock } from "./bulk/list-dock.js";
import { EditedCell, useCellEditing } from "./cell/cell-editing.js";
import { placeOf } from "./cell/cells-of.js";
import { EmptyState } from "./empty-state.js";
import { withCondition } from "./filters/conditions.js";
import { useRecentSearches } from "./filters/use-recent-searches.js";
import { useKnownTotals } from "./known-totals.js";
import { useListState, useShown } from "./list-state.js";
import { Followed } from "./live/followed.js";
import { Look } from "./look/look.js";
import { Pasting } from "./paste/pasting.js";
import { useKeptPage } from "./rows/kept-page.js";
import { useListKeys } from "./rows/list-keys.js";
import { noMarks } from "./rows/rows.js";
import { nothing, selected } from "./rows/selection.js";
import { type Sorting, sortedBy } from "./rows/sorting.js";
import { hasRows, Instead } from "./show/instead.js";
import { Records } from "./show/records.js";
import { ShowAs } from "./show/show-as.js";
import { useStableCallbacks } from "./stable-callbacks.js";
import { Tools } from "./tools.js";
import { Dropped, ListTop } from "./top.js";
import { useFoot } from "./totals/foot.js";
import { useReturn } from "./use-return.js";
import { ViewTabs } from "./views/tabs.js";

/** The row of a quick look, and the address of its list. */
interface Looked {
  readonly id: string;
  readonly address: string;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose parts share the state of the list
export default function List({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const [, go] = useLocation();
  const state = useListState(resource);
  const { listing, ask, columns, layout, setLayout, view } = state;
  const [action, setAction] = useState<BulkAction | null>(null);
  // A calendar requests its days; the total of the list is needed only for an export.
  const isPaged = listing.show?.as !== "calendar" || action !== null;
  const list = useQuery({
    ...listQuery(user.id, resource.name, state.query),
    enabled: isPaged,
  });
  const [selection, select] = useReducer(selected, nothing);
  const { page, loadedAt, isOld } = useKeptPage(list);
  useRecentSearches(user.id, resource.name, page === undefined ? "" : state.search);
  const searchField = useRef<HTMLInputElement>(null);
  const [isFiltering, setFiltering] = useState(false);
  const [looked, setLooked] = useState<Looked | null>(null);
  const [marks, setMarks] = useState(noMarks);
  const scroller = useRef<HTMLDivElement>(null);

  const inRows = hasRows(listing);
  const shown = useShown(resource, state, { page: inRows ? page : undefined, isOld });
  const former = useDeferredValue(shown);
  // While typing, the previous rows stay until the new ones are rendered. If there are none to keep, the new ones are
  // rendered at once, together with the pager.
  const isKept =
    former !== null && former.rows.length > 0 && former.gallery === (shown ?? former).gallery;
  const drawn = inRows && isKept ? former : shown;
  const canSelect = may(resource, "update") || may(resource, "delete");
  const foot = useFoot(resource, state, { hasBoxes: canSelect });
  const editing = useCellEditing(drawn);
  const address = here();
  const lookedRow = drawn?.rows.find(({ id }) => id === looked?.id) ?? null;
  const isGone = lookedRow === null && drawn !== null && !drawn.isOld;
  // The quick look closes with its row and with the requested list, and does not reopen.
  if (looked !== null && (looked.address !== address || isGone)) setLooked(null);
  useReturn({ account: user.id, address }, scroller, { isDrawn: drawn !== null });
  const on = useStableCallbacks({
    sort: (field: string, how: Sorting) => ask({ sort: sortedBy(listing.sort, field, how) }),
    width: (field: string, width: number | null) => {
      const { [field]: _, ...others } = layout.widths;
      setLayout({ ...layout, widths: width === null ? others : { ...others, [field]: width } });
    },
    look: (id: string) => setLooked({ id, address }),
    reach: (id: string) => setLooked((former) => (former === null ? null : { id, address })),
    search: (q: string) => ask({ q }, { isTyping: true }),
  });
  const chosenPage = shown?.page ?? [];
  const keys = useStableCallbacks({
    search: () => searchField.current?.focus(),
    filter: () => setFiltering(true),
    create: () => {
      if (may(resource, "create")) go(`${listPath(resource)}/new`);
    },
    open: (id: string) => go(recordPath(resource.name, id)),
    edit: (id: string, field: string) => editing.open({ id, field }),
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
      const next = listing.page + by;
      if (next >= 1 && next <= (page?.meta.totalPages ?? 1)) toPage(next);
    },
  });
  const toPage = (next: number) => {
    if (next !== listing.page) ask({ page: next });
    document.querySelector<HTMLElement>("h1")?.focus();
  };
  useListKeys(keys);
  useArrivalAction("export", () => setAction("export"));
  const total = isOld ? undefined : page?.meta.total;
  const totals = useKnownTotals(user.id, resource, { listing, total });

  return (
    <div className="with-drawer">
      <div className="list column">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter and F2 do the same */}
        <div
          className="scroll"
          ref={scroller}
          onDoubleClick={({ target }) => {
            const place = placeOf(target as Element);
            if (place !== null) editing.open(place);
          }}
        >
          <ListTop resource={resource} onExport={() => setAction("export")}>
            <ShowAs resource={resource} listing={listing} />
          </ListTop>
          <Followed
            resource={resource}
            state={state}
            page={isOld || listing.show?.as === "calendar" ? undefined : page}
            list={list}
            onMarks={setMarks}
            onTop={() => {
              toPage(1);
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            <ViewTabs
              resource={resource}
              views={state.views}
              current={view?.id ?? null}
              totalOf={totals}
            />
          </Followed>
          <Dropped
            parts={state.dropped}
            onDismiss={() => ask({ page: listing.page }, { isTyping: true })}
          />
          <Tools
            resource={resource}
            state={state}
            onSearch={on.search}
            searchRef={searchField}
            isFiltering={isFiltering}
            onFiltering={setFiltering}
            picking={canSelect ? { page: chosenPage, selection, onSelect: select } : null}
          />
          {inRows ? (
            <EmptyState
              resource={resource}
              columns={columns.rest.length + 1}
              list={list}
              page={page}
              loadedAt={loadedAt}
              isNarrowed={listing.q !== "" || listing.conditions.length > 0}
              term={listing.q}
              onClear={() => ask({ q: "", conditions: [] })}
              onInstead={(condition) =>
                ask({ q: "", conditions: withCondition(listing.conditions, null, condition) })
              }
              onFirst={() => toPage(1)}
            />
          ) : (
            <Instead resource={resource} state={state} />
          )}
          {drawn === null || drawn.rows.length === 0 ? null : (
            <Records
              shown={drawn}
              selection={selection}
              onSelect={canSelect ? select : null}
              onSort={on.sort}
              onWidth={on.width}
              onLook={on.look}
              onReach={on.reach}
              looked={lookedRow?.id ?? null}
              marks={marks}
              saving={editing.writes.saving}
              foot={foot}
            />
          )}
          {drawn === null ? null : (
            <>
              <EditedCell editing={editing} shown={drawn} query={state.query} scroller={scroller} />
              <Pasting shown={drawn} query={state.query} />
            </>
          )}
        </div>
        {page === undefined || !inRows ? null : (
          <ListDock
            resource={resource}
            state={state}
            page={page}
            selection={selection}
            onSelect={select}
            onPage={toPage}
            onAction={setAction}
          />
        )}
        {action === null || page === undefined ? null : (
          <BulkActions
            action={action}
            resource={resource}
            listing={listing}
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
      <Look
        resource={resource}
        row={lookedRow}
        rows={drawn?.rows ?? []}
        onClose={() => setLooked(null)}
      />
    </div>
  );
}
