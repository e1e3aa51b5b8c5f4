import type { Resource } from "../../api/types.js";
import { conditionParams, sortParams } from "../../kinds/list-question.js";
import { lazyPart } from "../../parts/lazy-part.js";
import { type ListAddress, printParams } from "../../place/list-address.js";
import { fieldsOf } from "./asked.js";
import type { BulkProps } from "./bulk.js";
import type { Columns } from "./columns.js";
import type { BulkAction } from "./dock.js";
import type { ExportProps } from "./export.js";
import { chosenCount, type Selection } from "./selection.js";

const Export = lazyPart<ExportProps>({
  load: () => import("./export.js"),
  leave: ({ onClose }) => onClose(),
});
const Bulk = lazyPart<BulkProps>({
  load: () => import("./bulk.js"),
  leave: ({ onClose }) => onClose(false),
});

export interface BulkActionsProps {
  readonly action: BulkAction;
  readonly resource: Resource;
  readonly asked: ListAddress;
  readonly columns: Columns;
  readonly selection: Selection;
  /** Of the list. */
  readonly total: number;
  /** `isDone`: something was sent. */
  readonly onClose: (isDone: boolean) => void;
}

/** What is done with many records, in a layer over their list. */
export function BulkActions(props: BulkActionsProps) {
  const { action, resource, asked, columns, selection, total, onClose } = props;
  if (action !== "export") {
    return <Bulk resource={resource} selection={selection} action={action} onClose={onClose} />;
  }
  return (
    <Export
      resource={resource}
      fields={fieldsOf(columns)}
      question={
        selection.kind === "all"
          ? selection.condition
          : printParams([...conditionParams(resource, asked), ...sortParams(asked)])
      }
      ids={selection.kind === "some" ? selection.chosen.map(({ id }) => id) : null}
      total={selection.kind === "none" ? total : chosenCount(selection)}
      onClose={() => onClose(false)}
    />
  );
}
