/**
 * Calls `late` once `left`, which may grow in the meantime, reaches 0. Returns a function that
 * cancels the call.
 */
export function whenOver(left: () => number, late: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (ms: number): void => {
    timer = setTimeout(check, Math.max(0, ms));
  };
  function check(): void {
    const ms = left();
    if (ms > 0) arm(ms);
    else late();
  }
  arm(left());
  return () => clearTimeout(timer);
}
