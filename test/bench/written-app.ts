import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkPackages } from "../support/apps/link-packages.js";
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
  linkPackages(root, ["@types"]);
  return root;
}
