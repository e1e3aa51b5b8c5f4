import type { Resource } from "../../../api/client/types.js";
import { may, things } from "../../../api/records/descriptors.js";
import { Button } from "../../../parts/button/button.js";
import { time } from "../../../text/dates.js";
import { enBulk } from "../../../text/en/bulk.js";
import { count } from "../../../text/format.js";
import "./dock.css";
import { chosenCount, pairOf, type Selection } from "../rows/selection.js";

const text = enBulk;

export type BulkAction = "edit" | "export" | "delete" | "merge";

/** The actions for the selected rows, in a bar below the rows rather than over them. */
export function SelectionDock({
  resource,
  selection,
  total,
  onAll,
  onClear,
  onAction,
}: {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly total: number;
  readonly onAll: () => void;
  readonly onClear: () => void;
  readonly onAction: (action: BulkAction) => void;
}) {
  const chosen = chosenCount(selection);
  return (
    <div className="dock chosen" role="toolbar" aria-label={text.selection(things(resource))}>
      <span className="strong num" role="status">
        {selection.kind === "all"
          ? text.allSelected(count(chosen), time(selection.at))
          : text.selected(count(chosen))}
      </span>
      {selection.kind === "some" && total > chosen ? (
        <Button look="quiet" onPress={onAll}>
          {text.selectAll(count(total))}
        </Button>
      ) : null}
      <hr />
      <span className="row acts">
        {may(resource, "update") ? (
          <Button onPress={() => onAction("edit")}>{text.edit}</Button>
        ) : null}
        <Button onPress={() => onAction("export")}>{text.export}</Button>
        {pairOf(selection) !== null && may(resource, "update") && may(resource, "delete") ? (
          <Button onPress={() => onAction("merge")}>{text.merge}</Button>
        ) : null}
        {may(resource, "delete") ? (
          <Button look="quiet-danger" onPress={() => onAction("delete")}>
            {text.delete}
          </Button>
        ) : null}
      </span>
      <span className="grow" />
      <Button look="quiet" icon="close" label={text.clearSelection} onPress={onClear} />
    </div>
  );
}
