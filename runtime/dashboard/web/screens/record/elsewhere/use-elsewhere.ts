import { useEffect, useState } from "react";
import { callIfChanged } from "../../../api/client/client.js";
import { isStatus } from "../../../api/client/errors.js";
import type { Row } from "../../../api/client/types.js";
import { recordAddress, type Version, versionOf } from "../../../api/records/records.js";

/** What happened to an open record elsewhere. */
export type Elsewhere =
  | { readonly kind: "nothing" }
  | { readonly kind: "saved"; readonly version: Version }
  | { readonly kind: "deleted" };

const nothing: Elsewhere = { kind: "nothing" };

/** Checks for a new version when the user returns to the window; it is announced, and never replaces the form. */
export function useElsewhere(
  resource: string,
  version: Version | null,
): readonly [Elsewhere, (next: Elsewhere) => void] {
  const [found, setFound] = useState<{ of: string; what: Elsewhere }>({ of: "", what: nothing });
  const id = version?.record.id;
  const etag = version?.etag ?? "";
  useEffect(() => {
    if (id === undefined) return;
    let asked: AbortController | null = null;
    const ask = async () => {
      if (document.visibilityState !== "visible" || asked !== null) return;
      asked = new AbortController();
      try {
        const path = recordAddress(resource, id);
        const answer = await callIfChanged<Row>(path, etag, asked.signal);
        if (answer !== null && answer.etag !== etag) {
          setFound({ of: etag, what: { kind: "saved", version: versionOf(answer) } });
        }
      } catch (error) {
        if (isStatus(error, 404)) setFound({ of: etag, what: { kind: "deleted" } });
        // Without an answer there is nothing to announce: saving would report it.
      } finally {
        asked = null;
      }
    };
    document.addEventListener("visibilitychange", ask);
    addEventListener("focus", ask);
    return () => {
      asked?.abort();
      document.removeEventListener("visibilitychange", ask);
      removeEventListener("focus", ask);
    };
  }, [resource, id, etag]);
  return [found.of === etag ? found.what : nothing, (what) => setFound({ of: etag, what })];
}
