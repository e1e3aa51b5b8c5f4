import { createRequire } from "node:module";
import { findDescriptors } from "../../../generator/descriptor/find.js";
import { render } from "../../../generator/text/templates.js";
import { packageName, titleOf } from "./name.js";
import { type StarterName, starterNamed } from "./starters.js";

export interface StarterFile {
  /** Relative to the app's folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the files of a new app, which is named after its folder; null selects the starter with one resource. An app
 * that already has descriptors needs no example.
 */
export function starterFiles(root: string, starter: StarterName | null): readonly StarterFile[] {
  const { folder, resources, path: listed, remark } = starterNamed(starter);
  const hasOwn = findDescriptors(root).some(({ path }) => !resources.includes(path));
  const name = packageName(root);
  const view = {
    name,
    title: titleOf(name),
    version: ownVersion(),
    path: listed,
    remark,
  };
  // Without the example, its test and descriptors are useless.
  const ofExample = hasOwn ? [] : ["server.test.ts", ...resources];
  const own = ["server.ts", ...ofExample].map((path) => ({ path, template: folder + path }));
  return [...paths, ...own].map(({ path, template = path }) => ({
    path,
    text: render(`starter/${template}`, view),
  }));
}

/**
 * Returns the tool's version. An app depends on both packages by version, as a path would be valid only on this
 * machine.
 */
function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)(
    "service-cli/package.json",
  );
  return version;
}

/** npm omits files called `.gitignore` from packages, so template names have no leading dot. */
const paths: readonly { readonly path: string; readonly template?: string }[] = [
  { path: "package.json" },
  { path: "tsconfig.json" },
  { path: "service.yaml" },
  { path: ".env.example", template: "env.example" },
  { path: ".gitignore", template: "gitignore" },
  { path: "README.md" },
];
