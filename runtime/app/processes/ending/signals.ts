export interface EndSignals {
  /** Begins a graceful shutdown: immediately (SIGINT), or after the delay for load balancers (SIGTERM). */
  first(signal: "SIGTERM" | "SIGINT"): void;
  /** Exits immediately, as the operator does not want to wait. */
  again(): void;
}

/**
 * Milliseconds in which a second signal is ignored: npm forwards a Ctrl+C that the terminal has already sent to every
 * process.
 */
const sameKeyPress = 500;

/**
 * Calls `first` at the first SIGTERM or SIGINT, and `again` at each later one that is not part of
 * the same key press. Returns a function that removes the listeners.
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
