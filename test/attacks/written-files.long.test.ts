import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { service, starterApp } from "../cli/service.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase } from "../support/database/database.js";
import { plain } from "../support/pictures/pictures.js";
import { openHost } from "../support/processes/shop-process.js";

/** What a developer writes or commits: it holds neither data nor secrets. */
const source =
  /^(?:node_modules|dist|generated|resources|migrations|\.gitignore|[\w.-]+\.(?:json|yaml|ts|md)|\.env(?:\.example)?)(?:\/|$)/;

/** The group reads stored files; the account of the embedded database passes through a folder that it cannot list. */
const ofOthers = /^(?:storage(?:\/\S+)? (?:750|640)|\.service 711)$/;

/** Every file and folder below one, but source, that others than its owner may do something with: `path mode`. */
function open(root: string): readonly string[] {
  const others = (path: string) => lstatSync(path).mode & 0o777;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !source.test(relative(root, path)) && !lstatSync(path).isSymbolicLink())
    .filter((path) => (others(path) & 0o077) !== 0)
    .map((path) => `${relative(root, path)} ${others(path).toString(8)}`);
}

test("files that the server and the commands write are readable by their owner alone", async () => {
  const [root, database] = [await starterApp(), await emptyDatabase()];
  const env = {
    DATABASE_URL: database.url,
    SERVICE_BACKUP_PASSPHRASE: "a passphrase of the tests",
  };
  const run = async (...args: string[]) =>
    expect(
      await service(root, args, { env, input: "a password of the tests\n" }),
      args.join(" "),
    ).toMatchObject({ exitCode: 0 });
  try {
    await run("generate");
    await run("migrate");
    const person = ["--email", "a@example.com", "--name", "A", "--password-stdin"];
    await run("user", "create", ...person);
    await run("token", "create", "--email", "a@example.com", "--name", "robot");
    await run("backup", join(root, "app.backup"));
    await run("backup", join(root, "app.backup.age"), "--encrypt");
    await run("export", "tasks", "--output", join(root, "tasks.csv"));
    await run("doctor");
    expect(open(root)).toEqual([]);
  } finally {
    await database.drop();
    removeAppFolder(root);
  }
});

test("files that a server writes beside its database are also private; its group may read stored files", async () => {
  const host = await openHost();
  const mask = process.umask(0);
  try {
    const server = await host.serve();
    const upload = (path: string, text: Buffer) =>
      server.admin.send("PUT", `/_service/uploads/${path}`, {
        text,
        headers: { "content-type": "application/octet-stream" },
      });
    const picture = await plain(64, 64, "#fff").png().toBuffer();
    for (const { status, text } of [
      await upload("products/manual?name=a.pdf", Buffer.from("%PDF-1.4\n%%EOF\n")),
      await upload("products/image?name=a.png", picture),
    ]) {
      expect(status, text).toBe(201);
    }
    const found = open(host.root);
    expect(found.filter((one) => !ofOthers.test(one))).toEqual([]);
    expect(found.length).toBeGreaterThan(3);
    expect(execFileSync("find", [host.root, "-perm", "-o+w", "-type", "f"]).toString()).toBe("");
  } finally {
    process.umask(mask);
    await host.close();
  }
});
