import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { End } from "./importing-shop.js";
import { openTaskApp, usualImport } from "./task-app.js";
import type { WrittenApp } from "./written-app.js";

interface Lines {
  readonly resource: string;
  /** CSV, with its header. */
  readonly text: string;
  /** Further options of the import. */
  readonly more?: object;
}

/** What an import of these lines ends with. */
export async function importLines(
  app: WrittenApp,
  { resource, text, more = {} }: Lines,
): Promise<unknown> {
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const tasks = await openTaskApp({
    name: app.root,
    databaseUrl: app.config.database.url,
    make: () => createApp(),
  });
  const path = join(app.root, `${resource}.csv`);
  writeFileSync(path, text);
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, resource, ...more };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, events } as never,
  }));
  await tasks.close();
  return end;
}
