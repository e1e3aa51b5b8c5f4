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
  /** The row that is open; null if none is. */
  readonly row: Row | null;
}

/**
 * The quick look, loaded on first use. The focus stays in the list, so the quick look is announced to screen readers.
 */
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
