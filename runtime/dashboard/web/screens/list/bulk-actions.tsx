import { lazy, Suspense } from "react";
import type { Resource } from "../../api/types.js";
import { conditionParams, sortParams } from "../../kinds/list-question.js";
import { type ListAddress, printParams } from "../../place/list-address.js";
import { fieldsOf } from "./asked.js";
import type { Columns } from "./columns.js";
import type { BulkAction } from "./dock.js";
import { chosenCount, type Selection } from "./selection.js";

const Export = lazy(() => import("./export.js"));
const Bulk = lazy(() => import("./bulk.js"));

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
  return (
    <Suspense fallback={null}>
      {action === "export" ? (
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
      ) : (
        <Bulk resource={resource} selection={selection} action={action} onClose={onClose} />
      )}
    </Suspense>
  );
}
