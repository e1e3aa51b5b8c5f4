import type { Ref } from "react";
import type { Resource } from "../../api/client/types.js";
import { labelOf, readableFields, things } from "../../api/records/descriptors.js";
import { type ListAddress, printList, printSort } from "../../browser/address/list-address.js";
import type { View } from "../../browser/storage/views.js";
import { kindOf } from "../../kinds/kinds.js";
import { Choice } from "../../parts/form/choice.js";
import { enList } from "../../text/en/list.js";
import { Chips } from "./filters/chips.js";
import { Recent } from "./filters/recent-searches.js";
import type { Columns, Layout } from "./rows/columns.js";
import { ColumnsChoice } from "./rows/columns-choice.js";
import { Search } from "./search.js";
import "./tools.css";
import { ViewActions } from "./views/actions.js";

const text = enList;

export interface ToolsProps {
  readonly resource: Resource;
  readonly asked: ListAddress;
  readonly ask: (change: Partial<ListAddress>, isTyping?: boolean) => void;
  readonly onSearch: (term: string) => void;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly isFiltering: boolean;
  readonly onFiltering: (isFiltering: boolean) => void;
  readonly columns: Columns;
  readonly layout: Layout;
  readonly onLayout: (layout: Layout) => void;
  readonly views: readonly View[];
  readonly view: View | null;
  readonly onViews: (views: readonly View[], opened: View | null) => void;
}

/** The bar above a list: search, filters and display options. */
export function Tools(props: ToolsProps) {
  const { resource, asked, ask, columns, layout, views, view } = props;
  const names = [...(columns.picture === null ? [] : [columns.picture]), ...columns.rest];
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
          views={views}
          current={view}
          shown={{
            search: printList({ ...asked, page: 1, perPage: null, view: null }),
            columns:
              view?.columns ?? (layout.columns === null ? null : names.map(({ name }) => name)),
          }}
          onChange={props.onViews}
        />
        <ColumnsChoice
          resource={resource}
          columns={columns}
          layout={layout}
          onChange={props.onLayout}
        />
      </span>
    </div>
  );
}

/** The order of the list as a menu: cards have no column headings. */
function SortChoice({ resource, asked, ask }: Pick<ToolsProps, "resource" | "asked" | "ask">) {
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
