export interface EndSignals {
  /** Begins an orderly shutdown. */
  first(): void;
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
  const listener = () => {
    if (since === null) {
      since = performance.now();
      first();
    } else if (performance.now() - since > sameKeyPress) again();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

const signals = ["SIGTERM", "SIGINT"] as const;
