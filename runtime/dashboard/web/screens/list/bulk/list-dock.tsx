import { serverTime } from "../../../api/client/client.js";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import { Pager } from "../../../parts/page/pager.js";
import type { ListState } from "../list-state.js";
import { PageSizes } from "../page-sizes.js";
import type { Selection, SelectionEvent } from "../rows/selection.js";
import { type BulkAction, SelectionDock } from "./dock.js";
import { conditionAt } from "./selected-records.js";

/** The bar below a list: the actions for the selected rows, else the pager. */
export function ListDock({
  resource,
  state,
  page,
  selection,
  onSelect,
  onPage,
  onAction,
}: {
  readonly resource: Resource;
  readonly state: ListState;
  readonly page: Page<Row>;
  readonly selection: Selection;
  readonly onSelect: (event: SelectionEvent) => void;
  readonly onPage: (page: number) => void;
  readonly onAction: (action: BulkAction) => void;
}) {
  const { listing, perPage } = state;
  const { total, more } = page.meta;
  if (selection.kind !== "none") {
    return (
      <SelectionDock
        resource={resource}
        selection={selection}
        total={total}
        onAll={() => {
          const at = serverTime();
          const condition = conditionAt(resource, listing, at);
          onSelect({ kind: "all", condition, at, total });
        }}
        onClear={() => onSelect({ kind: "clear" })}
        onAction={onAction}
      />
    );
  }
  if (total === 0) return null;
  return (
    <Pager
      page={listing.page}
      perPage={perPage}
      total={total}
      isPart={more === true}
      onPage={onPage}
      sizes={<PageSizes state={state} isBeside />}
    />
  );
}
