import { useEffect, useRef, useState } from "react";
import { ApiError, sentence } from "../api/client/errors.js";
import type { RefusedItem } from "../api/records/batches.js";

export interface EachItem {
  readonly id: string;
  /** The name of the item in the list of refusals. */
  readonly title: string;
}

export interface EachState {
  readonly kind: "asked" | "running" | "stopped" | "ended";
  /** Null until all items are known. */
  readonly total: number | null;
  readonly done: number;
  readonly refused: readonly RefusedItem[];
  /** The error that stopped the calls, if any. */
  readonly error: unknown;
}

export interface EachOptions {
  /** Finds all items before the first call. */
  readonly find: (signal: AbortSignal) => Promise<readonly EachItem[]>;
  readonly run: (item: EachItem) => Promise<unknown>;
}

const asked: EachState = { kind: "asked", total: null, done: 0, refused: [], error: null };

/** Calls the API for each item, one after another. If it is stopped, it can continue from there. */
export function useEach({ find, run }: EachOptions) {
  const [state, setState] = useState(asked);
  const left = useRef<readonly EachItem[] | null>(null);
  const stopped = useRef(new AbortController());
  useEffect(() => () => stopped.current.abort(), []);
  const start = async () => {
    stopped.current = new AbortController();
    const { signal } = stopped.current;
    setState((former) => ({ ...former, kind: "running", error: null }));
    try {
      left.current ??= await find(signal);
      const total = left.current.length;
      setState((former) => ({ ...former, total: former.total ?? total }));
      for (let next = left.current[0]; next !== undefined; next = left.current[0]) {
        if (signal.aborted) return;
        const reason = await refusalOf(() => run(next as EachItem));
        left.current = left.current.slice(1);
        const { title } = next;
        setState((former) =>
          reason === null
            ? { ...former, done: former.done + 1 }
            : { ...former, refused: [...former.refused, { title, reason }] },
        );
      }
      setState((former) => ({ ...former, kind: "ended" }));
    } catch (error) {
      if (!signal.aborted) setState((former) => ({ ...former, kind: "stopped", error }));
    }
  };
  const stop = () => {
    stopped.current.abort();
    setState((former) => ({ ...former, kind: "stopped" }));
  };
  return { state, start: () => void start(), stop };
}

/**
 * Returns the reason why a call was refused; null if it was not. Throws an error that would also stop the other calls.
 */
async function refusalOf(call: () => Promise<unknown>): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409, 422].includes(error.status)) throw error;
    return sentence(error);
  }
}
