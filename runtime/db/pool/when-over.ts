/** Calls `late` once a time that may grow in the meantime is used up. Returns a function that stops it. */
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
