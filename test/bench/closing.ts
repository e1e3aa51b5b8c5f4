type Work = () => void | Promise<void>;

const works: Work[] = [];
let closed: Promise<void> | undefined;

/** Has the work done at the end, or when the run is broken off; the last one named is done first. */
export function onClose(work: Work): void {
  // What a broken-off run still managed to start ends at once.
  if (isClosed()) void work();
  else works.unshift(work);
}

/** Ends what was started and removes what was made; once, however often it is asked for. */
export function close(): Promise<void> {
  closed ??= (async () => {
    for (const work of works) await work();
  })();
  return closed;
}

/** Leaves nothing behind on Ctrl+C. */
export function closeOnSignals(): void {
  for (const [signal, status] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
    process.once(signal, () => {
      process.stderr.write("\nStopping the servers and the database\n");
      // What is under way fails as its server goes; only the signal is worth reporting.
      process.removeAllListeners("uncaughtException").on("uncaughtException", () => {});
      close().finally(() => process.exit(status));
    });
  }
}

/** Whether the run has ended or been broken off. */
export function isClosed(): boolean {
  return closed !== undefined;
}
