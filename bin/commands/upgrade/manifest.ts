import { z } from "zod";
import { CommandRefused } from "../../../runtime/command/exit.js";
import { reasonOf } from "../../../runtime/errors/index.js";
import type { Rewritten } from "./rewritten.js";

type Packages = Readonly<Record<string, string>>;

const group = z.record(z.string(), z.string()).default({});
const manifestShape = z.object({ dependencies: group, devDependencies: group });

/** Packages for the compiler that the tool depended on until version 0.5; an app that lists them keeps its versions. */
const types: Packages = { "@types/express": "^5.0.6", "@types/node": "^20.19.43" };

/**
 * Returns `package.json` with both packages, at the versions already listed or else at `version`; null if nothing
 * changes.
 */
export function rewriteManifest(text: string, version: string): Rewritten | null {
  const manifest = parse(text);
  const former = manifestShape.parse(manifest);
  const named: Packages = { ...former.devDependencies, ...former.dependencies };
  const ofOwn = (name: string) => ({ [name]: named[name] ?? `^${version}` });
  const groups = {
    dependencies: { ...others(former.dependencies), ...ofOwn("service-runtime") },
    devDependencies: { ...types, ...others(former.devDependencies), ...ofOwn("service-cli") },
  };
  const isSame =
    stable(former.dependencies) === stable(groups.dependencies) &&
    stable(former.devDependencies) === stable(groups.devDependencies);
  if (isSame) return null;
  const dependencies = sorted(groups.dependencies);
  const devDependencies = sorted(groups.devDependencies);
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const end = text.endsWith("\n") ? "\n" : "";
  return {
    text: JSON.stringify({ ...manifest, dependencies, devDependencies }, null, indent) + end,
    what: "service-runtime, and service-cli for development, instead of service",
  };
}

function parse(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    throw new CommandRefused(`package.json cannot be read: ${reasonOf(error)}`);
  }
}

const own = new Set(["service", "service-cli", "service-runtime"]);

function others(packages: Packages): Packages {
  return Object.fromEntries(Object.entries(packages).filter(([name]) => !own.has(name)));
}

/** Sorts packages as npm does. */
function sorted(packages: Packages): Packages {
  const names = Object.keys(packages).sort((one, other) => one.localeCompare(other, "en"));
  return Object.fromEntries(names.map((name) => [name, packages[name] ?? ""]));
}

/** Returns a string that does not depend on the order of the packages. */
function stable(packages: Packages): string {
  return JSON.stringify(sorted(packages));
}
