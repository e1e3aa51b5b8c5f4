/** Gives statements the names under which connections prepare them. */
export interface StatementNames {
  /** Stable for a text; undefined when the statement is to run unprepared. */
  nameOf(text: string): string | undefined;
  /** Gives a text its name, once it has led to a row. */
  learn(text: string): void;
}

/** Each connection keeps every plan until it ends, and clients choose the shape of some statements. */
const maxNames = 500;

/**
 * Names the first 500 different statements that led to a row; others run unprepared. What is asked
 * with a token that nobody has leads to none, so strangers cannot use the names up.
 */
export function numberedNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf: (text) => names.get(text),
    learn(text) {
      if (names.size < maxNames && !names.has(text)) names.set(text, `s${names.size}`);
    },
  };
}

/** For proxies that give every transaction another connection: nothing is prepared. */
export const noNames: StatementNames = { nameOf: () => undefined, learn: () => {} };
