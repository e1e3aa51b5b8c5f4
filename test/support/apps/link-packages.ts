import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const repository = dirname(createRequire(import.meta.url).resolve("service-cli/package.json"));

/** Installs both packages of the checkout into an app's folder, as links, and those that are named. */
export function linkPackages(root: string, others: readonly string[] = []): void {
  const modules = join(root, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(repository, join(modules, "service-cli"));
  symlinkSync(join(repository, "runtime"), join(modules, "service-runtime"));
  for (const name of others) {
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  }
}
