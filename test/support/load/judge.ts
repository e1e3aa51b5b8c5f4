import { expect } from "vitest";
import { ask } from "./ask.js";
import type { Load } from "./ledger.js";
import { sumOf } from "./records.js";

/** Asks the database itself. */
export type AskDatabase = <Row extends object>(text: string) => Promise<readonly Row[]>;

/**
 * Every acknowledged write is there exactly once, counts are exact, files and rows agree, and no server accepts what was
 * revoked; all clients have ended.
 */
export async function judge(askDatabase: AskDatabase, load: Load): Promise<void> {
  const { ledger } = load;
  expect(ledger.wrong).toEqual([]);
  await expectRecords(askDatabase, load);
  const reads = [...ledger.files].slice(-20).map(async ([key, sum]) => {
    const { status, bytes } = await ask(load.url, {
      method: "GET",
      path: `/_service/files/${key}`,
    });
    return [key, status, sumOf(bytes) === sum];
  });
  for (const [key, status, isSame] of await Promise.all(reads)) {
    expect([key, status, isSame]).toEqual([key, 200, true]);
  }
  const answers = ledger.revoked
    .slice(-40)
    .flatMap((token) =>
      load.servers.map((server) => ask(server, { method: "GET", path: "/auth/me", token })),
    );
  for (const { status } of await Promise.all(answers)) expect(status).toBe(401);
}

async function expectRecords(askDatabase: AskDatabase, { ledger }: Load): Promise<void> {
  const rows = await askDatabase<{ id: string; name: string; stock: number }>(
    "select id, name, stock::int as stock from products",
  );
  const stored = rows.filter(({ name }) => /^(Product|Reviewed) /.test(name));
  const byName = new Map(stored.map(({ name, id }) => [name, id]));
  expect(byName.size).toBe(stored.length);
  expect(byName).toEqual(ledger.created);
  const stocks = rows
    .filter(({ id }) => ledger.stocks.has(id))
    .map(({ id, stock }) => [id, stock] as const);
  expect(new Map(stocks)).toEqual(ledger.stocks);
  const reviewed = [...ledger.created.keys()].filter((name) => name.startsWith("Reviewed "));
  const reviews = await askDatabase<{ body: string }>("select body from reviews");
  expect(reviews.map(({ body }) => body).sort()).toEqual(reviewed.sort());
  expect(await askDatabase("select * from service.wrong_counts()")).toEqual([]);
}
