import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The rules of axe that a theme makes a difference to. */
export const ofColours = ["color-contrast", "link-in-text-block"];

/**
 * What axe finds on the page by these rules, or by all of its own, a line each; evaluated past the page's policy,
 * which allows it no script.
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(source);
  const options = {
    preload: false,
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: rules }),
  };
  const violations = await page.evaluate<readonly Finding[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
