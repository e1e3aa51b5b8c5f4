import type { Seeded } from "./seed.js";
import { type HitCount, searchWords } from "./words.js";

const list = "/api/products";

/** How many different addresses a case asks for in turn. */
const differentAddresses = 100;

/** Searches for different words with so many hits in a million records each. */
export function searchesOf(hits: HitCount): readonly string[] {
  return searchWords(hits).map((word) => `${list}?q=${word}`);
}

/** Pages from the first to the last of 10 000 records, filters by each kind of index, and words. */
export function mixed({ categoryIds }: Seeded): readonly string[] {
  const [frequent, rare] = [searchWords(40_000), searchWords(4_000)];
  return Array.from({ length: differentAddresses / 4 }, (_, at) => [
    `${list}?page=${1 + at * 16}`,
    `${list}?filter%5BcategoryId%5D=${categoryIds[at]}`,
    at % 2 === 0
      ? `${list}?filter%5Bstatus%5D=live&page=${1 + at * 5}`
      : `${list}?filter%5Bactive%5D=true&page=${1 + at * 15}`,
    `${list}?q=${at % 2 === 0 ? frequent[at] : rare[at]}`,
  ]).flat();
}

/** Two indexed fields, of which the second finds nothing more. */
export function eitherOr({ categoryIds }: Seeded): readonly string[] {
  return Array.from({ length: differentAddresses }, (_, at) => {
    const categoryId = categoryIds[at % categoryIds.length];
    const where = JSON.stringify({ or: [{ categoryId }, { name: `Not there ${at}` }] });
    return `${list}?where=${encodeURIComponent(where)}`;
  });
}
