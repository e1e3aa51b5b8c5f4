/** The account or client that a stream counts for. */
export interface Holder {
  readonly kind: "account" | "client";
  /** The account's id, or the client's address; null for clients that cannot be distinguished. */
  readonly key: string | null;
}

/** The limit that another stream would exceed: that of all streams, or that of its holder. */
export type Lacking = "streams" | "streams of the holder";

export interface Places {
  /** Returns the limit that another stream of the holder would exceed; null if none. */
  lacks(holder: Holder): Lacking | null;
  /** Occupies a slot until the returned function is called. */
  take(holder: Holder): () => void;
}

export interface MostStreams {
  readonly all: number;
  readonly perAccount: number;
  readonly perClient: number;
}

export function newPlaces(most: MostStreams): Places {
  const byHolder = new Map<string, number>();
  const counts = { account: 0, client: 0 };
  const limits = { account: most.perAccount, client: most.perClient };
  /** Clients without a token leave half of the streams to accounts. */
  const mostClients = Math.floor(most.all / 2);

  function add({ kind, key }: Holder, count: 1 | -1): void {
    counts[kind] += count;
    if (key === null) return;
    const name = `${kind} ${key}`;
    const sum = (byHolder.get(name) ?? 0) + count;
    if (sum === 0) byHolder.delete(name);
    else byHolder.set(name, sum);
  }

  return {
    lacks({ kind, key }) {
      if (counts.account + counts.client >= most.all) return "streams";
      if (kind === "client" && counts.client >= mostClients) return "streams";
      const own = key === null ? 0 : (byHolder.get(`${kind} ${key}`) ?? 0);
      return own >= limits[kind] ? "streams of the holder" : null;
    },
    take(holder) {
      let isTaken = true;
      add(holder, 1);
      return () => {
        if (isTaken) add(holder, -1);
        isTaken = false;
      };
    },
  };
}
