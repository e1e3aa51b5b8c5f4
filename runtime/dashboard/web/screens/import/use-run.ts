import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSession } from "../../api/account/session.js";
import {
  type BatchItem,
  batchSize,
  begun,
  type Progress,
  progressed,
  type Run,
  runBatches,
} from "../../api/records/batches.js";
import type { Checked } from "./check.js";

/** Runs the writes of an import; reports the progress, and how many writes had not started when it was stopped. */
export function useRun({ operations, lines }: Checked) {
  const { user } = useSession();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = useRef<Run | null>(null);
  const begunRows = useRef(0);
  const isUnderWay = progress !== null && progress.kind !== "ended";
  useEffect(() => {
    if (!isUnderWay) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", stay);
    return () => removeEventListener("beforeunload", stay);
  }, [isUnderWay]);

  async function* batches(): AsyncGenerator<readonly BatchItem[], undefined> {
    while (begunRows.current < operations.length) {
      const from = begunRows.current;
      begunRows.current = Math.min(from + batchSize, operations.length);
      yield operations.slice(from, begunRows.current).map((operation, at) => {
        return { operation, title: String(lines[from + at] ?? 0) };
      });
    }
  }

  return {
    progress,
    left: operations.length - begunRows.current,
    start: () => {
      setProgress((former) => ({ ...(former ?? begun(operations.length)), kind: "running" }));
      run.current = runBatches(batches, (event) =>
        setProgress((state) => (state === null ? null : progressed(state, event))),
      );
      // Marks the data of all resources stale, since those that link to this one are affected too.
      void run.current.done.then(() =>
        client.invalidateQueries({ queryKey: [user.id, "resource"], refetchType: "active" }),
      );
    },
    stop: () => run.current?.stop(),
    again: () => run.current?.again(),
  };
}
