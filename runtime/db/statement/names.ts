/** Names the statements that connections prepare. */
export interface StatementNames {
  /** The same name for the same text; undefined if the statement must run unprepared. */
  nameOf(text: string, connection: object): string | undefined;
  /** Records a statement that ran without a name and returned a row. */
  add(text: string): void;
  /** Whether a connection has prepared statements whose names are no longer used. */
  isSpent(connection: object): boolean;
}

/**
 * Maximum number of names. A connection keeps every plan until it closes, and clients determine the form of some
 * statements.
 */
const maxNames = 250;

/**
 * Names a text at its second use, if the first returned a row. The statements of a request with an invalid token return
 * none, so anonymous clients cannot exhaust the names. When all are used, numbering restarts: existing connections
 * prepare no further statements and are closed; frequent texts are soon named again.
 */
export function preparedNames(max = maxNames): StatementNames {
  const names = new Map<string, string>();
  const usedOnce = new Set<string>();
  const epochs = new WeakMap<object, number>();
  let epoch = 0;

  function give(text: string): string {
    if (names.size === max) {
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
    add(text) {
      if (names.has(text)) return;
      if (usedOnce.size === max) usedOnce.clear();
      usedOnce.add(text);
    },
    isSpent,
  };
}

/** Names every text at its first use: for a fixed set of texts. */
export function fixedNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(text) {
      const name = names.get(text) ?? `l${names.size}`;
      names.set(text, name);
      return name;
    },
    add: () => {},
    isSpent: () => false,
  };
}

/** Prepares nothing. */
export const noNames: StatementNames = {
  nameOf: () => undefined,
  add: () => {},
  isSpent: () => false,
};
