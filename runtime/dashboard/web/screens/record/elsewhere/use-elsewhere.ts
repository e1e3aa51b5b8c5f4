import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { historyKey, lastEntry } from "../../../api/changes/history.js";
import { callIfChanged } from "../../../api/client/client.js";
import { isStatus } from "../../../api/client/errors.js";
import type { Resource, Row } from "../../../api/client/types.js";
import { hasHistory } from "../../../api/records/descriptors.js";
import { recordAddress, type Version, versionOf } from "../../../api/records/records.js";
import { useRecordChanges } from "./use-record-changes.js";

/** What happened to an open record elsewhere. */
export type Elsewhere =
  | { readonly kind: "nothing" }
  | { readonly kind: "saved"; readonly version: Version; readonly by: Writer | null }
  | { readonly kind: "deleted" };

/** Who wrote a version: the same account in another window, or another account. */
export type Writer = { readonly isSelf: true } | { readonly isSelf: false; readonly name: string };

const nothing: Elsewhere = { kind: "nothing" };

/** Delay after a change in milliseconds, in which the response to the user's own write arrives. */
const settleMs = 250;

/**
 * Checks for a new version when the user returns to the window, and when a change arrives. A new version is announced,
 * and never replaces the form.
 */
export function useElsewhere(
  resource: Resource,
  version: Version | null,
): readonly [Elsewhere, (next: Elsewhere) => void] {
  const { user } = useSession();
  const client = useQueryClient();
  const [found, setFound] = useState<{ of: string; what: Elsewhere }>({ of: "", what: nothing });
  const id = version?.record.id;
  const etag = version?.etag ?? "";
  const check = useRef(() => {});
  // A change has arrived and is not checked yet: another version may be displayed before it is.
  const isDue = useRef(false);
  useRecordChanges(resource, id, () => {
    isDue.current = true;
    check.current();
  });
  useEffect(() => {
    if (id === undefined) return;
    let pending: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (document.visibilityState !== "visible" || pending !== null) return;
      isDue.current = false;
      const asking = new AbortController();
      pending = asking;
      try {
        const path = recordAddress(resource.name, id);
        const answer = await callIfChanged<Row>(path, etag, asking.signal);
        if (answer !== null && answer.etag !== etag) {
          const by = await writerOf({ resource, id }, user.id, asking.signal);
          setFound({ of: etag, what: { kind: "saved", version: versionOf(answer), by } });
        }
      } catch (error) {
        if (isStatus(error, 404)) setFound({ of: etag, what: { kind: "deleted" } });
        // If there is no response, nothing is announced: saving will report the failure.
      } finally {
        pending = null;
        if (isDue.current && !asking.signal.aborted) check.current();
      }
    };
    check.current = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        void client.invalidateQueries({
          queryKey: historyKey(user.id, { resource: resource.name, id }),
        });
        void ask();
      }, settleMs);
    };
    if (isDue.current) check.current();
    document.addEventListener("visibilitychange", ask);
    addEventListener("focus", ask);
    return () => {
      check.current = () => {};
      clearTimeout(timer);
      if (pending !== null) isDue.current = true;
      pending?.abort();
      document.removeEventListener("visibilitychange", ask);
      removeEventListener("focus", ask);
    };
  }, [resource, id, etag, user.id, client]);
  return [found.of === etag ? found.what : nothing, (what) => setFound({ of: etag, what })];
}

/** The account that wrote a record last, if the record's history is readable. */
async function writerOf(
  { resource, id }: { readonly resource: Resource; readonly id: string },
  account: string,
  signal: AbortSignal,
): Promise<Writer | null> {
  if (!hasHistory(resource)) return null;
  const last = await lastEntry({ resource: resource.name, id }, signal).catch(() => null);
  const by = last?.by ?? null;
  if (by === null) return null;
  return by.id === account ? { isSelf: true } : { isSelf: false, name: by.name };
}
