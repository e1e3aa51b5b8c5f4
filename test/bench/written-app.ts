import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timed } from "./figure.js";
import type { DescriptorText } from "./many-descriptors.js";
import { temporaryFolder } from "./servers.js";

const repository = join(import.meta.dirname, "../../..");
export const service = join(repository, "dist/bundle/service.js");

/** Makes a starter app of these descriptors, with the checkout as its installed package; returns its folder. */
export async function writeApp(descriptors: readonly DescriptorText[]): Promise<string> {
  const root = join(temporaryFolder(), "app");
  await timed([service, "init", root]);
  for (const name of readdirSync(join(root, "resources"))) rmSync(join(root, "resources", name));
  for (const { path, text } of descriptors) writeFileSync(join(root, path), text);
  mkdirSync(join(root, "node_modules"));
  symlinkSync(repository, join(root, "node_modules/service"));
  symlinkSync(join(repository, "node_modules/@types"), join(root, "node_modules/@types"));
  return root;
}
