import { maxOperations } from "../../../../values/api/batch.js";
import { call } from "../client/client.js";
import { ApiError, NetworkError, sentence } from "../client/errors.js";
import { newKey } from "../client/writes.js";

/** One write of a batch, and the title of its record. */
export interface BatchItem {
  readonly operation: object;
  readonly title: string;
}

export interface RefusedItem {
  readonly title: string;
  readonly reason: string;
}

/** The progress and results of many writes, independent of the components that display them. */
export interface Progress {
  readonly kind: "running" | "stopping" | "held" | "ended";
  readonly total: number;
  readonly written: number;
  readonly refused: readonly RefusedItem[];
  /** The reason why the run is paused. */
  readonly problem: string | null;
}

export type ProgressEvent =
  | {
      readonly kind: "answered";
      readonly items: readonly BatchItem[];
      readonly errors: readonly Fault[];
      /** The tags of the records after their writes, if requested. */
      readonly etags: readonly (string | null)[];
    }
  | { readonly kind: "held"; readonly problem: string }
  | { readonly kind: "again" }
  | { readonly kind: "stop" }
  | { readonly kind: "ended" };

export interface Fault {
  readonly index: number;
  readonly status: number;
  readonly error: string;
  readonly issues?: readonly { readonly path?: string; readonly message: string }[];
}

export function begun(total: number): Progress {
  return { kind: "running", total, written: 0, refused: [], problem: null };
}

export function progressed(state: Progress, event: ProgressEvent): Progress {
  switch (event.kind) {
    case "answered": {
      const { items, errors } = event;
      const refused = errors.map((fault) => ({
        title: items[fault.index]?.title ?? "",
        reason: reasonOf(fault),
      }));
      return {
        ...state,
        written: state.written + items.length - errors.length,
        refused: [...state.refused, ...refused],
      };
    }
    case "held":
      return { ...state, kind: "held", problem: event.problem };
    case "again":
      return state.kind === "held" ? { ...state, kind: "running", problem: null } : state;
    case "stop":
      return state.kind === "ended" ? state : { ...state, kind: "stopping", problem: null };
    case "ended":
      return { ...state, kind: "ended" };
    default:
      return event satisfies never;
  }
}

function reasonOf({ error, issues = [] }: Fault): string {
  if (issues.length === 0) return error;
  return issues
    .map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`))
    .join("; ");
}

export interface Run {
  /** Stops after the requests in progress. */
  stop(): void;
  again(): void;
  readonly done: Promise<void>;
}

/** Maximum number of concurrent requests. */
const atOnce = 2;
/** Maximum number of writes per request, which is the server's limit. */
export const batchSize = maxOperations;

/**
 * Runs `work`; after a temporary failure, retries it when the user requests that. Returns null if the run was stopped.
 */
export type Patiently = <Answer>(work: () => Promise<Answer>) => Promise<Answer | null>;

/**
 * Writes items in batches whose operations are independent. If there is no response, the run pauses until the user
 * retries; the batch keeps its key, so that nothing is written twice.
 */
export function runBatches(
  source: (patiently: Patiently) => AsyncIterator<readonly BatchItem[]>,
  tell: (event: ProgressEvent) => void,
  { hasEtags = false }: { readonly hasEtags?: boolean } = {},
): Run {
  let isStopped = false;
  let waiting: (() => void)[] = [];
  const resume = () => {
    for (const one of waiting) one();
    waiting = [];
  };
  const patiently: Patiently = async (work) => {
    while (!isStopped) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error)) throw error;
        tell({ kind: "held", problem: sentence(error) });
        await new Promise<void>((done) => waiting.push(done));
      }
    }
    return null;
  };
  const chunks = source(patiently);
  const work = async () => {
    while (!isStopped) {
      const next = await chunks.next();
      if (next.done === true) return;
      const items = next.value;
      const key = newKey();
      const answer = await patiently(() => send(items, key, { hasEtags }));
      if (answer !== null) tell({ kind: "answered", items, ...answer });
    }
  };
  return {
    stop: () => {
      isStopped = true;
      tell({ kind: "stop" });
      resume();
    },
    again: () => {
      tell({ kind: "again" });
      resume();
    },
    done: Promise.all(Array.from({ length: atOnce }, work))
      .then(() => tell({ kind: "ended" }))
      .catch((error: unknown) => {
        tell({ kind: "held", problem: sentence(error) });
        tell({ kind: "ended" });
      }),
  };
}

interface Answer {
  readonly errors: readonly Fault[];
  readonly etags: readonly (string | null)[];
}

async function send(
  items: readonly BatchItem[],
  key: string,
  { hasEtags }: { readonly hasEtags: boolean },
): Promise<Answer> {
  try {
    const { errors, etags = [] } = await call<Pick<Answer, "errors"> & Partial<Answer>>(
      "POST",
      `/_service/batch${hasEtags ? "?etags=true" : ""}`,
      {
        body: { atomic: false, operations: items.map(({ operation }) => operation) },
        idempotencyKey: key,
      },
    );
    return { errors, etags };
  } catch (error) {
    if (!(error instanceof ApiError) || isPassing(error)) throw error;
    const refused = { status: error.status, error: sentence(error) };
    // The entire batch was refused, so nothing was written.
    return { errors: items.map((_, index) => ({ index, ...refused })), etags: [] };
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  if (!(error instanceof ApiError)) return false;
  // 409 with `Retry-After`: an earlier request with the same key is in progress.
  const isEarly = error.status === 409 && error.retryAfter !== null;
  return isEarly || error.status >= 500 || error.status === 429;
}
