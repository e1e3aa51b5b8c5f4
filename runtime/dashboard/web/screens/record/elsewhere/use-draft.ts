import { useCallback, useEffect, useRef, useState } from "react";
import type { Field } from "../../../api/client/types.js";
import type { Attempt } from "../../../api/client/writes.js";
import { type Draft, forgetDraft, keepDraft, keptDraft } from "../../../browser/storage/drafts.js";
import { changedFields, type Typed } from "../../../form/state.js";
import { now } from "../../../text/dates.js";

/** Milliseconds between a change and the storing of the draft. */
const pause = 500;

export interface DraftOptions {
  readonly name: string;
  readonly etag: string | null;
  readonly fields: readonly Field[];
  readonly before: Typed;
  /** The initial values of the form. Some may count as changes although the user typed nothing. */
  readonly opened: Typed;
  readonly mine: Typed;
}

/** Stores unsaved changes in the browser until they are saved or discarded; offers those of an earlier visit. */
export function useDraft({ name, etag, fields, before, opened, mine }: DraftOptions) {
  const [found, setFound] = useState<Draft | null>(() => keptDraft(name));
  const [isKept, setKept] = useState(true);
  const attempt = useRef<Attempt | null>(found?.attempt ?? null);
  const changed = changedFields(fields, before, mine);
  const pending = useRef<() => void>(() => {});
  pending.current = () => {
    if (changed.length === 0 || changedFields(fields, opened, mine).length === 0) return;
    const typed = changed.map(
      (field) =>
        [field.name, { before: before[field.name] ?? "", mine: mine[field.name] ?? "" }] as const,
    );
    const draft = { etag, at: now(), fields: Object.fromEntries(typed), attempt: attempt.current };
    setKept(keepDraft(name, draft));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the pause again
  useEffect(() => {
    const timer = setTimeout(() => pending.current(), pause);
    return () => clearTimeout(timer);
  }, [mine, before]);
  useEffect(() => {
    const onHide = () => pending.current();
    addEventListener("pagehide", onHide);
    return () => {
      removeEventListener("pagehide", onHide);
      pending.current();
    };
  }, []);
  const drop = useCallback(() => {
    pending.current = () => {};
    attempt.current = null;
    forgetDraft(name);
    setFound(null);
  }, [name]);
  return {
    found,
    isKept,
    /** Called once the user has decided about the draft. */
    take: () => setFound(null),
    drop,
    attempt: attempt.current,
    onAttempt: (next: Attempt | null) => {
      attempt.current = next;
      pending.current();
    },
  };
}
