import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFigures } from "./file.js";
import { speedOf, tablesOf } from "./print.js";

const [begin, end] = ["<!-- figures -->", "<!-- /figures -->"];

/** Writes the figures of the file into the README and the pages on performance and deployment. */
export function placeFigures(repository: string): void {
  const figures = readFigures(repository);
  place(join(repository, "README.md"), speedOf(figures));
  place(join(repository, "docs/deployment.md"), speedOf(figures));
  place(join(repository, "docs/performance.md"), tablesOf(figures));
}

/** Replaces what is between the two marks of a page. */
function place(path: string, text: string): void {
  const page = readFileSync(path, "utf8");
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no place for figures`);
  writeFileSync(path, `${page.slice(0, from) + begin}\n${text}\n${page.slice(to)}`);
}
