export interface Interruption {
  /** Requests a graceful stop. */
  first(): void;
  /** Stops immediately. */
  again(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Milliseconds in which a second signal is ignored: npm forwards a Ctrl+C that the terminal has already sent to its
 * children.
 */
const sameKeyPress = 500;

/** Handles the signals. Returns a function that restores the previous handlers. */
export function onInterrupt({ first, again }: Interruption): () => void {
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
