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
 * The files of a new app in that folder, named after it; null selects the starter with one
 * resource. An app that already has descriptors needs no example.
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
  // Without the example its test and descriptors are useless.
  const ofExample = hasOwn ? [] : ["server.test.ts", ...resources];
  const own = ["server.ts", ...ofExample].map((path) => ({ path, template: folder + path }));
  return [...paths, ...own].map(({ path, template = path }) => ({
    path,
    text: render(`starter/${template}`, view),
  }));
}

/** An app depends on both packages by version: a path would be valid on this machine only. */
function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)(
    "service-cli/package.json",
  );
  return version;
}

/** npm leaves files called `.gitignore` out of packages, so templates have no leading dot. */
const paths: readonly { readonly path: string; readonly template?: string }[] = [
  { path: "package.json" },
  { path: "tsconfig.json" },
  { path: "service.yaml" },
  { path: ".env.example", template: "env.example" },
  { path: ".gitignore", template: "gitignore" },
  { path: "README.md" },
];
