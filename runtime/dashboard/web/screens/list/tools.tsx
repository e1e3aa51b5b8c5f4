import { type Ref, useState } from "react";
import type { Resource } from "../../api/client/types.js";
import { labelOf, readableFields, things } from "../../api/records/descriptors.js";
import { printSort } from "../../browser/address/list-address.js";
import { kindOf } from "../../kinds/kinds.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { Popover } from "../../parts/overlay/popover.js";
import { enList } from "../../text/en/list.js";
import { Chips } from "./filters/chips.js";
import { Recent } from "./filters/recent-searches.js";
import type { ListState } from "./list-state.js";
import { PageSizes } from "./page-sizes.js";
import { ColumnsChoice } from "./rows/columns-choice.js";
import { PageBox, type PageBoxProps } from "./rows/head-cell.js";
import { Search } from "./search.js";
import { ShowAs } from "./show/show-as.js";
import "./tools.css";
import { TotalsChoices } from "./totals/choices.js";
import { ViewActions } from "./views/actions.js";

const text = enList;

export interface ToolsProps {
  readonly resource: Resource;
  readonly state: ListState;
  readonly onSearch: (term: string) => void;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly isFiltering: boolean;
  readonly onFiltering: (isFiltering: boolean) => void;
  /** The rows of the page and which of them are selected; null if none can be. */
  readonly picking: PageBoxProps | null;
}

/** The bar above a list: search, filters and display options. */
export function Tools(props: ToolsProps) {
  const { resource, state, picking } = props;
  const { listing, ask } = state;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="list-tools">
      <Search
        things={things(resource)}
        value={listing.q}
        onSearch={props.onSearch}
        inputRef={props.searchRef}
      />
      <Chips
        resource={resource}
        conditions={listing.conditions}
        onChange={(conditions) => ask({ conditions })}
        isAdding={props.isFiltering}
        onAdding={props.onFiltering}
      />
      <span className="row display only-wide">
        {listing.show?.as === "gallery" ? (
          <SortChoice resource={resource} listing={listing} ask={ask} isBeside />
        ) : null}
        <Display {...props} />
      </span>
      <span className="only-small">
        <Popover
          label={text.display}
          isOpen={isOpen}
          onOpenChange={setOpen}
          button={<Button look="quiet" icon="more" label={text.display} />}
        >
          <ShowAs resource={resource} listing={listing} onChosen={() => setOpen(false)} />
          <SortChoice resource={resource} listing={listing} ask={ask} />
          <PageSizes state={state} />
          {picking === null || picking.page.length === 0 ? null : (
            <PageBox
              {...picking}
              onSelect={(event) => {
                picking.onSelect(event);
                // Otherwise the popover and the action bar would overlap.
                setOpen(false);
              }}
            />
          )}
          <div className="display-entries">
            <Display {...props} />
          </div>
        </Popover>
      </span>
    </div>
  );
}

/** Recent searches, saved views and columns. */
function Display({ resource, state }: Pick<ToolsProps, "resource" | "state">) {
  return (
    <>
      <Recent resource={resource} />
      <ViewActions
        things={things(resource)}
        views={state.own}
        sharing={state.shared}
        current={state.view}
        shown={{ search: state.search, columns: state.layout.columns }}
        onChange={state.setViews}
      />
      <TotalsChoices resource={resource} state={state} />
      <ColumnsChoice
        resource={resource}
        columns={state.columns}
        layout={state.layout}
        onChange={state.setLayout}
      />
    </>
  );
}

/** A menu of sort orders, for cards, which have no column headings. */
function SortChoice({
  resource,
  listing,
  ask,
  isBeside = false,
}: Pick<ToolsProps, "resource"> &
  Pick<ListState, "listing" | "ask"> & {
    /** Whether the label is next to the menu. */
    readonly isBeside?: boolean;
  }) {
  const options = readableFields(resource)
    .filter((field) => kindOf(field).isSortable)
    .flatMap((field) => {
      const label = labelOf(field);
      return [
        { value: field.name, label: text.ascending(label) },
        { value: `-${field.name}`, label: text.descending(label) },
      ];
    });
  return (
    <Choice
      label={text.sort}
      isBeside={isBeside}
      value={printSort(listing.sort.slice(0, 1))}
      options={[{ value: "", label: text.unsorted }, ...options]}
      onChange={(value) =>
        ask({
          sort:
            value === ""
              ? []
              : [{ field: value.replace(/^-/, ""), isDescending: value.startsWith("-") }],
        })
      }
    />
  );
}
