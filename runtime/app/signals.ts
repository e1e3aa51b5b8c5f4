export interface EndSignals {
  /** Asks everything to come to its end. */
  first(): void;
  /** The operator will not wait. */
  again(): void;
}

/** Milliseconds. npm passes on a Ctrl+C that the terminal has sent to every process already. */
const sameKeyPress = 500;

/** Calls back at the first SIGTERM or SIGINT, and at each that comes later than with the first. */
export function onEndSignals({ first, again }: EndSignals): void {
  let since: number | null = null;
  const listener = () => {
    if (since === null) {
      since = performance.now();
      first();
    } else if (performance.now() - since > sameKeyPress) again();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, listener);
}
