import { byText, type Database, isCacheable, snapshotSql, throughCache } from "../../db/index.js";
import type { PlannedRead, Row } from "./route.js";

/** Runs a read's statement alone; the row is empty where there is none. */
export async function runRead(
  db: Database,
  { text, values, via, resource, refusalOf }: PlannedRead,
): Promise<Row> {
  const access = resource === undefined ? db : db.ofResource(resource);
  try {
    if (db.cache === undefined || !isCacheable(text, via)) {
      const [row = {}] = await access[via]<Row>(text, values);
      return row;
    }
    const found = await throughCache(
      db.cache,
      { text, values },
      {
        look: async () => {
          const [seen = nothing] = await db.lookUp<typeof nothing>(snapshotText);
          return seen;
        },
        ask: async () => {
          const [asked] = await access[via]<AskedRow>(textWithSnapshot(text), values);
          if (asked === undefined) return { seen: nothing, row: {} };
          const { _snapshot: snapshot, ...row } = asked;
          return { seen: { snapshot }, row };
        },
      },
    );
    return found?.row ?? {};
  } catch (error) {
    throw refusalOf?.(error) ?? error;
  }
}

const snapshotText = `select ${snapshotSql} as snapshot`;

const nothing = { snapshot: "" };

type AskedRow = Row & { readonly _snapshot: string };

const textOf = byText<string>();

function textWithSnapshot(text: string): string {
  return textOf(
    text,
    () => `select ${snapshotSql} as _snapshot, _answer.* from (${text}) as _answer`,
  );
}
