export interface EndSignals {
  /** Begins an orderly shutdown: at once (SIGINT), or after the delay for load balancers (SIGTERM). */
  first(signal: "SIGTERM" | "SIGINT"): void;
  /** Ends at once: the operator will not wait. */
  again(): void;
}

/** Milliseconds. npm forwards a Ctrl+C that the terminal has already sent to every process. */
const sameKeyPress = 500;

/**
 * Calls back at the first SIGTERM or SIGINT, and at each later one that is not part of the same key press, until the
 * function that it returns is called.
 */
export function onEndSignals({ first, again }: EndSignals): () => void {
  let since: number | null = null;
  const listener = (signal: "SIGTERM" | "SIGINT") => {
    if (since === null) {
      since = performance.now();
      first(signal);
    } else if (performance.now() - since > sameKeyPress) again();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

const signals = ["SIGTERM", "SIGINT"] as const;
