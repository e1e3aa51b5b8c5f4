import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A page of the documentation. */
export interface Page {
  /** `README`, or the name of a page below `docs/`, such as `docs/files`. */
  readonly name: string;
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  /** The nearest heading above it. */
  readonly heading: string;
  /** `sh`, `ts`, `yaml`, … */
  readonly language: string;
  readonly text: string;
}

/** The README and every page below `docs/`. */
export const pages: readonly Page[] = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
].map((path) => ({
  name: path.replace(/\.md$/, ""),
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

export function page(name: string): Page {
  const found = pages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no page ${name}`);
  return found;
}

/** Every block of a page, from top to bottom. */
export function blocksOf({ text }: Page): Block[] {
  let heading = "";
  const blocks: Block[] = [];
  for (const [, title, language = "", code = ""] of text.matchAll(headingOrBlock)) {
    if (title === undefined) blocks.push({ heading, language, text: code });
    else heading = title;
  }
  return blocks;
}

const headingOrBlock = /^#{1,3} ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms;

/** The text of one block: the first, second, … below a heading. */
export function block(name: string, heading: string, place = 1): string {
  const found = blocksOf(page(name)).filter((one) => one.heading === heading)[place - 1];
  if (found === undefined) throw new Error(`${name} has no block ${place} below "${heading}"`);
  return found.text;
}
