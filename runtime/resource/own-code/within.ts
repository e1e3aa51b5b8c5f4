/** Waits for the work; rejects with the error that `late` returns when it takes longer than `ms`. */
export function within<T>(ms: number, work: () => Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, ms));
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
