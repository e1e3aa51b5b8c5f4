import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { inject } from "vitest";
import { startEmbedded } from "../../../bin/embedded/load.js";
import { freePort } from "../../../bin/embedded/port.js";
import { makeAppFolder, removeAppFolder } from "../apps/app-folder.js";
import { onceARun } from "./database.js";

/** A new app folder with the data of an embedded PostgreSQL that has run before; it is empty, and does not run now. */
export async function usedAppFolder(): Promise<string> {
  const root = makeAppFolder(inject("runFolder"));
  await putEmbeddedData(root);
  return root;
}

/** Puts that data into an app folder that has none. To copy it takes a tenth of what creating it does. */
export async function putEmbeddedData(root: string): Promise<void> {
  const template = join(inject("runFolder"), "embedded");
  await onceARun(
    () => existsSync(template),
    () => makeTemplate(template),
  );
  await copyWithData(template, root);
}

/** Copies an app's folder with the data of its embedded PostgreSQL, which does not run, into another one. */
export async function copyWithData(from: string, root: string): Promise<void> {
  // PostgreSQL, which does not run as root, reaches its data through this folder.
  chmodSync(root, 0o711);
  // Unlike Node's copying, this keeps the owner of the data.
  await execa("cp", ["-a", `${from}/.`, root]);
  const record = join(root, ".service/database.json");
  const changed = { id: randomBytes(6).toString("hex"), port: await freePort("127.0.0.1"), root };
  const copied = JSON.parse(readFileSync(record, "utf8"));
  writeFileSync(record, JSON.stringify({ ...copied, ...changed }));
}

/** Renamed when it is complete. */
async function makeTemplate(folder: string): Promise<void> {
  const draft = `${folder}-draft`;
  removeAppFolder(draft);
  mkdirSync(draft, { mode: 0o711 });
  await (await startEmbedded({ root: draft, settings: { fsync: "off" } })).stop();
  renameSync(draft, folder);
}
