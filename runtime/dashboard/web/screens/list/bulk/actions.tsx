import type { Resource } from "../../../api/client/types.js";
import { type ListAddress, printParams } from "../../../browser/address/list-address.js";
import type { MergingProps } from "../../../form/merging/dialog.js";
import { conditionParams, sortParams } from "../../../kinds/query/list-parameters.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import { type Columns, fieldsOf } from "../rows/columns.js";
import { chosenCount, pairOf, type Selection } from "../rows/selection.js";
import type { BulkProps } from "./bulk.js";
import type { BulkAction } from "./dock.js";
import type { ExportProps } from "./export.js";

const Export = lazyPart<ExportProps>({
  load: () => import("./export.js"),
  leave: ({ onClose }) => onClose(),
});
const Bulk = lazyPart<BulkProps>({
  load: () => import("./bulk.js"),
  leave: ({ onClose }) => onClose(false),
});
const Merging = lazyPart<MergingProps>({
  load: () => import("../../../form/merging/dialog.js"),
  leave: ({ onClose }) => onClose(),
});

export interface BulkActionsProps {
  readonly action: BulkAction;
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly total: number;
  /** `isDone`: whether anything was sent. */
  readonly onClose: (isDone: boolean) => void;
}

/** Actions on many records, in an overlay over their list. */
export function BulkActions(props: BulkActionsProps) {
  const { action, resource, listing, columns, selection, total, onClose } = props;
  const pair = pairOf(selection);
  if (action === "merge") {
    return pair === null ? null : (
      <Merging
        resource={resource}
        id={pair[0]}
        other={pair[1]}
        onClose={() => onClose(false)}
        onMerged={() => onClose(true)}
      />
    );
  }
  if (action !== "export") {
    return <Bulk resource={resource} selection={selection} action={action} onClose={onClose} />;
  }
  return (
    <Export
      resource={resource}
      fields={fieldsOf(columns)}
      query={
        selection.kind === "all"
          ? selection.condition
          : printParams([...conditionParams(resource, listing), ...sortParams(listing)])
      }
      ids={selection.kind === "some" ? selection.chosen.map(({ id }) => id) : null}
      total={selection.kind === "none" ? total : chosenCount(selection)}
      onClose={() => onClose(false)}
    />
  );
}
