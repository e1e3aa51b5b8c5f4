export interface Interruption {
  /** Asks everything to come to its end. */
  first(): void;
  /** The user will not wait. */
  again(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Milliseconds. npm passes on a Ctrl+C that the terminal has sent to all of its children already. */
const sameKeyPress = 500;

/** Takes the signals over; the answer gives them back. */
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
