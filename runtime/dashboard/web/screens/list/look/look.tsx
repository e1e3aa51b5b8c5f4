import type { Row } from "../../../api/client/types.js";
import { titleOf } from "../../../api/records/descriptors.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import { enLook } from "../../../text/en/quick-look.js";
import type { QuickLookProps } from "./quick-look.js";

const QuickLook = lazyPart<QuickLookProps>({
  load: () => import("./quick-look.js"),
  leave: ({ onClose }) => onClose(),
  waiting: null,
});

export interface LookProps extends Omit<QuickLookProps, "row"> {
  /** Null while no row is looked at. */
  readonly row: Row | null;
}

/** A quick look, loaded when it is first opened. The focus stays in the list, so screen readers are notified. */
export function Look({ row, ...props }: LookProps) {
  return (
    <>
      <p role="status" className="hidden">
        {row === null ? null : enLook.shown(titleOf(props.resource, row))}
      </p>
      {row === null ? null : <QuickLook row={row} {...props} />}
    </>
  );
}
