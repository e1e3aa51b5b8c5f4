import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf } from "../../fixtures/site/anchor.js";

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

/** Without fenced blocks, where a bracket or a number sign means something else. */
export function proseOf({ text }: Page): string {
  return text.replace(/^```.*?^```$/gms, "");
}

/** The targets of a page's links and pictures, as they are written. */
export function targetsOf(of: Page): readonly string[] {
  return [...proseOf(of).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** A heading, with the anchor that GitHub makes of it. */
export interface Heading {
  /** 1 for `#`, 2 for `##`, … */
  readonly level: number;
  readonly anchor: string;
  /** What stands below it and the smaller headings that follow. */
  readonly text: string;
}

export function headingsOf(of: Page): readonly Heading[] {
  // Blocks stay, but for what begins a line as a heading does.
  const text = of.text.replace(/^```.*?^```$/gms, (block) => block.replace(/^#/gm, " #"));
  const found = [...text.matchAll(/^(#+) (.+)$/gm)];
  return found.map(({ 1: sign = "", 2: title = "", index }, at) => {
    const next = found.slice(at + 1).find(([, other = ""]) => other.length <= sign.length);
    const anchor = anchorOf(title);
    return { level: sign.length, anchor, text: text.slice(index, next?.index) };
  });
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
