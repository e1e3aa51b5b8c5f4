/** Gives statements the names under which connections prepare them. */
export interface StatementNames {
  /** Stable for a text; undefined when the statement is to run unprepared there. */
  nameOf(text: string, connection: object): string | undefined;
  /** Hears of each statement that ran without a name and led to a row. */
  learn(text: string): void;
  /** True for a connection that holds statements of names no longer given. */
  isSpent(connection: object): boolean;
}

/** Each connection keeps every plan until it ends, and clients choose the shape of some statements. */
const maxNames = 250;

/**
 * Names a text at its second use, if the first led to a row. What is asked with a token that nobody has
 * leads to none, so strangers cannot use the names up. When all are given, they are given anew: the
 * connections of before prepare nothing more and are spent, and what is asked often soon has a name again.
 */
export function learntNames(most = maxNames): StatementNames {
  const names = new Map<string, string>();
  const usedOnce = new Set<string>();
  const epochs = new WeakMap<object, number>();
  let epoch = 0;

  function give(text: string): string {
    if (names.size === most) {
      names.clear();
      epoch += 1;
    }
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  }

  const isSpent = (connection: object) => (epochs.get(connection) ?? epoch) !== epoch;
  return {
    nameOf(text, connection) {
      const name = names.get(text) ?? (usedOnce.delete(text) ? give(text) : undefined);
      if (name === undefined || isSpent(connection)) return undefined;
      epochs.set(connection, epoch);
      return name;
    },
    learn(text) {
      if (names.has(text)) return;
      if (usedOnce.size === most) usedOnce.clear();
      usedOnce.add(text);
    },
    isSpent,
  };
}

/** Names every text from its first use: for those of which there are only so many. */
export function fixedNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(text) {
      const name = names.get(text) ?? `l${names.size}`;
      names.set(text, name);
      return name;
    },
    learn: () => {},
    isSpent: () => false,
  };
}

/** Nothing is prepared. */
export const noNames: StatementNames = {
  nameOf: () => undefined,
  learn: () => {},
  isSpent: () => false,
};
