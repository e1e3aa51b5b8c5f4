/** Counts the streams of a process and of its accounts. */
export interface Places {
  /** Which limit a further stream of the account would exceed; null if none. */
  lacks(account: string): "streams" | "streams of the account" | null;
  /** Occupies a place until the returned function is called. */
  take(account: string): () => void;
}

export function newPlaces(most: { readonly all: number; readonly perAccount: number }): Places {
  const byAccount = new Map<string, number>();
  let all = 0;

  function add(account: string, count: 1 | -1): void {
    const sum = (byAccount.get(account) ?? 0) + count;
    if (sum === 0) byAccount.delete(account);
    else byAccount.set(account, sum);
    all += count;
  }

  return {
    lacks(account) {
      if (all >= most.all) return "streams";
      const own = byAccount.get(account) ?? 0;
      return own >= most.perAccount ? "streams of the account" : null;
    },
    take(account) {
      let isTaken = true;
      add(account, 1);
      return () => {
        if (isTaken) add(account, -1);
        isTaken = false;
      };
    },
  };
}
