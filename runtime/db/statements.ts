/** Gives statements the names under which connections prepare them. */
export interface StatementNames {
  /** Stable for a text; undefined when the statement is to run unprepared. */
  nameOf(text: string): string | undefined;
}

/** Each connection keeps every plan until it ends, and clients choose the shape of some statements. */
const maxNames = 500;

/** Names the first 500 different statements; later ones run unprepared. */
export function numberedNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= maxNames) return known;
      const name = `s${names.size}`;
      names.set(text, name);
      return name;
    },
  };
}

/** For proxies that give every transaction another connection: nothing is prepared. */
export const noNames: StatementNames = { nameOf: () => undefined };
