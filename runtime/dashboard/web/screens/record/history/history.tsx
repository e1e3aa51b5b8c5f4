import type { ReactNode } from "react";
import type { Resource } from "../../../api/client/types.js";
import type { Version } from "../../../api/records/records.js";
import { Entries } from "./entries.js";

export interface HistoryProps {
  readonly resource: Resource;
  readonly version: Version;
  readonly mayWrite: boolean;
  readonly head: ReactNode;
  /** Returns to the record itself. */
  readonly onLeave: () => void;
}

/** The history of a record: who changed what, and when. */
export default function History({ resource, version, mayWrite, head }: HistoryProps) {
  return (
    <div className="scroller">
      {head}
      <div className="content">
        <Entries resource={resource} id={version.record.id} version={version} mayWrite={mayWrite} />
      </div>
    </div>
  );
}
