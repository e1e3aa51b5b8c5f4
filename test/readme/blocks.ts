import { readFileSync } from "node:fs";

/** A fenced block of the README. */
export interface Block {
  /** The heading of the second level above it. */
  readonly heading: string;
  /** Of the language `sh`, `ts`, `yaml`, … */
  readonly language: string;
  readonly text: string;
}

/** Every block, from top to bottom. */
export const blocks: readonly Block[] = readBlocks(
  readFileSync(new URL("../../README.md", import.meta.url), "utf8"),
);

/** The text of one block: the first, second, … below a heading. */
export function block(heading: string, place = 1): string {
  const found = blocks.filter((one) => one.heading === heading)[place - 1];
  if (found === undefined) throw new Error(`the README has no block ${place} below "${heading}"`);
  return found.text;
}

function readBlocks(readme: string): Block[] {
  return readme.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf("\n"));
    return [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
      ([, language = "", text = ""]): Block => ({ heading, language, text }),
    );
  });
}
