import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";

/**
 * How a new app in that folder depends on the package: as the project does from whose
 * `node_modules` this command runs; by folder from a checkout; else by version.
 */
export function ownDependency(root: string): string {
  const manifest = createRequire(import.meta.url).resolve("service/package.json");
  const modules = dirname(dirname(manifest));
  if (basename(modules) !== "node_modules") return fileDependency(root, dirname(manifest));
  const project = dirname(modules);
  const written = dependencyIn(join(project, "package.json"));
  if (written === null) return `^${versionOf(manifest)}`;
  const [, file] = /^file:(.*)$/.exec(written) ?? [];
  return file === undefined ? written : fileDependency(root, resolve(project, file));
}

function fileDependency(root: string, path: string): string {
  // npm resolves the path from the real location of the folder.
  return `file:${relative(realParent(root), path).replaceAll("\\", "/")}`;
}

function realParent(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return join(realParent(dirname(folder)), basename(folder));
  }
}

const dependencies = z.record(z.string(), z.string()).default({});
const projectShape = z.object({ dependencies, devDependencies: dependencies });

/** A global installation belongs to no project. */
function dependencyIn(path: string): string | null {
  try {
    const project = projectShape.parse(JSON.parse(readFileSync(path, "utf8")));
    return project.dependencies.service ?? project.devDependencies.service ?? null;
  } catch {
    return null;
  }
}

function versionOf(path: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
