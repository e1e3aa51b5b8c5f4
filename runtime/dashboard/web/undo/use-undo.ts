import { isStatus, NetworkError, sentence } from "../api/client/errors.js";
import { newKey } from "../api/client/writes.js";
import { type ToastAction, useToast } from "../parts/overlay/toast.js";
import { enUndo } from "../text/en/errors/undo.js";

const text = enUndo;

/** Milliseconds for which a write can be undone. */
export const undoMs = 10_000;

/** How one write is undone. */
export interface Undo<Undone> {
  readonly title: string;
  /** Writes with `If-Match`, so that no other change is lost; `key` is the idempotency key. */
  readonly run: (key: string) => Promise<Undone>;
  /** Marks the affected data stale. */
  readonly onUndone: (undone: Undone) => void;
  /** The message after the undo. */
  readonly said?: (undone: Undone) => string;
}

/** Returns a function that reports a write and offers to undo it for a while. */
export function useUndo(): <Undone>(
  written: string,
  undo: Undo<Undone>,
  ...others: readonly ToastAction[]
) => void {
  const toast = useToast();
  return (written, { title, run, onUndone, said }, ...others) => {
    const key = newKey();
    const take = async () => {
      try {
        const undone = await run(key);
        onUndone(undone);
        toast(said?.(undone) ?? text.undone(title));
      } catch (error) {
        if (isStatus(error, 412)) toast(text.changedSince(title));
        else if (isStatus(error, 404)) toast(text.goneSince(title));
        else {
          const again = { label: text.tryAgain, onAction: () => void take() };
          const why = text.failed(title, sentence(error));
          toast(why, ...(error instanceof NetworkError ? [again] : []));
        }
      }
    };
    toast(written, ...others, { label: text.undo, lastsMs: undoMs, onAction: () => void take() });
  };
}
