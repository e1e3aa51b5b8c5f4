import type { Case } from "./cases.js";
import { measureCase } from "./comparison.js";
import { seed } from "./seed.js";
import { startServer } from "./servers.js";
import type { Stage } from "./stage.js";
import { grouped, heading, line, millisecondsText, rateText } from "./table.js";

/** How each read of the emitted server fares as the table grows: answers a second, and p50. */
export async function growthTable(
  stage: Stage,
  { sizes, cases }: { readonly sizes: readonly number[]; readonly cases: readonly Case[] },
): Promise<string> {
  // The list is among the cases twice, at two sizes.
  const growing = cases.filter(({ name }) => name !== "list, 1 000 000 rows");
  const cells = new Map(growing.map(({ name }) => [name, [] as string[]]));
  for (const products of sizes) {
    const seeded = await seed(stage.adminUrl, products);
    const servers = [await startServer("emitted", seeded.url)];
    for (const one of growing) {
      const cell = await measureCase(one, { stage, seeded, servers }).then(
        ([figures]) => figures && `${rateText(figures.rate)} (${millisecondsText(figures.p50)} ms)`,
        (error: unknown) => {
          process.stderr.write(`${one.name}, ${grouped(products)} rows: ${error}\n`);
        },
      );
      cells.get(one.name)?.push(cell ?? "–");
    }
  }
  const rows = [...cells].map(([name, row]) => line(name.replace(/, [\d ]+ rows$/, ""), ...row));
  return (
    heading("Answers a second (p50)", ...sizes.map((size) => `${grouped(size)} rows`)) +
    rows.join("")
  );
}
