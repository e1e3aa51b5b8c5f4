import { expect } from "vitest";
import { startWrittenApp, type WrittenApp, type WrittenFiles } from "./written-app.js";

/**
 * Two apps of the same descriptors: one with the usual names of tables and columns, and one with those in marks:
 * `‹, column: "Name"›`.
 */
export interface SpelledApps {
  readonly apps: readonly WrittenApp[];
  /** Runs the script on both, expects the same responses, and returns them. */
  compare(script: (app: WrittenApp, record: Recorded) => Promise<void>): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

export type Answer = readonly [label: string, status: number, text: string];

/** Records an answer, and returns its body if it is one of success. */
export type Recorded = (
  label: string,
  reply: Promise<{ readonly status: number; readonly text: string }>,
  // biome-ignore lint/suspicious/noExplicitAny: what the script reads from it says what it is.
) => Promise<any>;

export async function startSpelledApps(
  written: readonly (readonly [file: string, text: string])[],
  files: Omit<WrittenFiles, "descriptors"> = {},
): Promise<SpelledApps> {
  const usual = written.map(([file, text]) => [file, text.replace(/(?:, )?‹[^›]*›/g, "")] as const);
  const spelled = written.map(([file, text]) => [file, text.replace(/[‹›]/g, "")] as const);
  const apps: WrittenApp[] = [];
  for (const descriptors of [usual, spelled]) {
    apps.push(await startWrittenApp({ ...files, descriptors: new Map(descriptors) }));
  }
  return {
    apps,
    async compare(script) {
      const [one, other] = await Promise.all(
        apps.map((app) => answers((record) => script(app, record))),
      );
      expect(other).toEqual(one);
      return one ?? [];
    },
    async close() {
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}

/** What the script was answered, in which ids and times that differ are replaced by their order. */
async function answers(script: (record: Recorded) => Promise<void>): Promise<readonly Answer[]> {
  const seen = new Map<string, string>();
  const replaced = (text: string) =>
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `id ${seen.size + 1}`);
        return seen.get(id) ?? id;
      })
      .replace(/20(?!77)\d\d-\d\d-\d\dT[0-9:.]+Z/g, "time")
      .replace(/"(?:cursor|next|tag|key|url|version)":"[^"]*"/g, "token");
  const found: Answer[] = [];
  await script(async (label, reply) => {
    const { status, text } = await reply;
    found.push([label, status, replaced(text)]);
    return status < 300 && text !== "" ? JSON.parse(text) : {};
  });
  return found;
}
