import type { Ref } from "react";
import type { Resource } from "../../api/client/types.js";
import { labelOf, readableFields, things } from "../../api/records/descriptors.js";
import { printSort } from "../../browser/address/list-address.js";
import { kindOf } from "../../kinds/kinds.js";
import { Choice } from "../../parts/form/choice.js";
import { enList } from "../../text/en/list.js";
import { Chips } from "./filters/chips.js";
import { Recent } from "./filters/recent-searches.js";
import type { ListState } from "./list-state.js";
import { ColumnsChoice } from "./rows/columns-choice.js";
import { Search } from "./search.js";
import "./tools.css";
import { ViewActions } from "./views/actions.js";

const text = enList;

export interface ToolsProps {
  readonly resource: Resource;
  readonly state: ListState;
  readonly onSearch: (term: string) => void;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly isFiltering: boolean;
  readonly onFiltering: (isFiltering: boolean) => void;
}

/** The bar above a list: search, filters and display options. */
export function Tools(props: ToolsProps) {
  const { resource, state } = props;
  const { asked, ask, layout } = state;
  return (
    <div className="list-tools">
      <Search
        things={things(resource)}
        value={asked.q}
        onSearch={props.onSearch}
        inputRef={props.searchRef}
      />
      <Chips
        resource={resource}
        conditions={asked.conditions}
        onChange={(conditions) => ask({ conditions })}
        isAdding={props.isFiltering}
        onAdding={props.onFiltering}
      />
      <span className="only-small sort">
        <SortChoice resource={resource} asked={asked} ask={ask} />
      </span>
      <span className="row wrap display">
        <Recent resource={resource} />
        <ViewActions
          views={state.views}
          current={state.view}
          shown={{ search: state.search, columns: layout.columns }}
          onChange={state.setViews}
        />
        <ColumnsChoice
          resource={resource}
          columns={state.columns}
          layout={layout}
          onChange={state.setLayout}
        />
      </span>
    </div>
  );
}

/** The order of the list as a menu: cards have no column headings. */
function SortChoice({
  resource,
  asked,
  ask,
}: Pick<ToolsProps, "resource"> & Pick<ListState, "asked" | "ask">) {
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
      isLabelHidden
      value={printSort(asked.sort.slice(0, 1))}
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
