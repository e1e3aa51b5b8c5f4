import { useEffect, useState } from "react";
import { guardLeaving } from "../../../browser/address/leaving.js";
import { maxDraftDays } from "../../../browser/storage/drafts.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { enRecord } from "../../../text/en/record.js";

const text = enRecord;

export interface LeaveGuardProps {
  /** The number of changed fields; if 0, leaving needs no question. */
  readonly changed: number;
  /** Whether a draft is stored; without one, the browser asks too. */
  readonly isKept: boolean;
  /** The path of the record; moving between its tabs does not count as leaving. */
  readonly own: string;
  readonly onDiscard: () => void;
}

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ changed, isKept, own, onDiscard }: LeaveGuardProps) {
  const [leave, setLeave] = useState<{ readonly go: () => void } | null>(null);
  useEffect(() => {
    if (changed === 0) return;
    return guardLeaving((to, go) => {
      const path = to.split("?")[0] ?? "";
      if (path === own || path.startsWith(`${own}/`)) go();
      else setLeave({ go });
    });
  }, [changed, own]);
  useEffect(() => {
    if (changed === 0 || isKept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [changed, isKept]);
  if (leave === null) return null;
  return (
    <Dialog title={text.leaveTitle} onClose={() => setLeave(null)} closesOutside>
      <p>{isKept ? text.leaveText(changed, maxDraftDays) : text.leaveTextNoDraft(changed)}</p>
      <div className="actions">
        <Button
          look="quiet-danger"
          onPress={() => {
            onDiscard();
            leave.go();
          }}
        >
          {text.leaveDiscard}
        </Button>
        <Button onPress={leave.go}>{text.leave}</Button>
        <Button look="primary" onPress={() => setLeave(null)}>
          {text.stay}
        </Button>
      </div>
    </Dialog>
  );
}
