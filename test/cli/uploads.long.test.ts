import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { pixel } from "../support/storage/stored.js";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";
import { type Given, service, starterApp, startService } from "./service.js";

let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(() => settings(""));
afterEach(async () => {
  await app.db.query("delete from service.uploads");
  await app.db.query("delete from service.stored_objects");
  rmSync(join(app.root, "storage"), { recursive: true, force: true });
});
afterAll(() => app.close());

function settings(lines: string): void {
  writeFileSync(
    join(app.root, "service.yaml"),
    `auth: { check_breached_passwords: false }\n${lines}`,
  );
}

const uploads = (args: readonly string[], given?: Given) =>
  service(app.root, ["uploads", ...args], given);

/** The profile of accounts' pictures as it is built in, and as a configured one. */
const former = {
  name: "avatar",
  width: 400,
  height: 400,
  fit: "cover",
  renditions: { thumb: { width: 80, height: 80, fit: "cover" } },
};
const changed =
  "uploads: { profiles: { avatar: { width: 400, height: 400, fit: cover, renditions: { thumb: { width: 20, height: 20, fit: cover } } } } }\n";

const keyOf = (number: number) =>
  `users/avatar/2030/01/019b76da-a800-7000-8000-00000000000${number}-me.webp`;

/** A picture that was uploaded two days ago, and is nobody's. */
async function picture(number: number, field = "users/avatar"): Promise<string> {
  const key = keyOf(number).replace("users/avatar", field);
  const details = { key, name: "me.png", size: pixel.length, optimised: true, renditions: {} };
  await app.db.query(
    `insert into service.uploads (key, resource, field, details, profile, unused_since)
     values ($1, split_part($4, '/', 1), split_part($4, '/', 2), $2, $3, now() - interval '2 days')`,
    [key, details, former, field],
  );
  await app.db.query(
    "insert into service.stored_objects (key, upload_key, size) values ($1::text, $1::text, $2)",
    [key, pixel.length],
  );
  mkdirSync(dirname(pathOf(key)), { recursive: true });
  writeFileSync(pathOf(key), pixel);
  return key;
}

const pathOf = (key: string) => join(app.root, "storage", key);

describe("prune", () => {
  test("with nothing to do reports it and exits with 0", async () => {
    expect(await uploads(["prune"])).toEqual({
      exitCode: 0,
      stdout: "There is nothing to delete",
      stderr: "",
    });
  });

  test("reports how many files and bytes were deleted", async () => {
    const keys = [await picture(1), await picture(2)];
    expect(await uploads(["prune"])).toEqual({
      exitCode: 0,
      stdout: `2 uploads deleted (2 stored objects, ${2 * pixel.length} bytes)`,
      stderr: "",
    });
    expect(keys.filter((key) => existsSync(pathOf(key)))).toEqual([]);
  });

  test("reports them as JSON", async () => {
    await picture(1);
    const { exitCode, stdout } = await uploads(["prune", "--json"]);
    expect({ exitCode, ...JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      uploads: 1,
      objects: 1,
      bytes: pixel.length,
      failed: 0,
      reason: null,
      warning: null,
    });
  });

  test("exits with 1 if the storage fails, and does the rest the next time", async () => {
    const key = await picture(1);
    rmSync(pathOf(key));
    mkdirSync(pathOf(key));
    const { exitCode, stderr } = await uploads(["prune"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The storage failed to remove 1 object: .+\n {2}hint: fix the storage/);
    rmSync(pathOf(key), { recursive: true });
    expect(await uploads(["prune"])).toMatchObject({
      exitCode: 0,
      stdout: `0 uploads deleted (1 stored object, ${pixel.length} bytes)`,
    });
  });

  test("waits for a server that prunes", async () => {
    await picture(1);
    await app.db.query("begin");
    await app.db.query("select pg_advisory_xact_lock(7364004)");
    const running = startService(app.root, ["uploads", "prune"]);
    let said = "";
    running.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await expect.poll(() => said).toBe("A server is pruning; waiting for it to finish\n");
    expect(existsSync(pathOf(keyOf(1)))).toBe(true);
    await app.db.query("commit");
    expect((await running).exitCode).toBe(0);
    expect(said).toMatch(/\n1 upload deleted \(1 stored object, \d+ bytes\)\n$/);
  });

  test("without a database's address uses the embedded one, and refuses a database without migrations", async () => {
    const root = await starterApp();
    expect(await service(root, ["uploads", "prune"])).toMatchObject({
      exitCode: 1,
      stderr: `The database is not up to date\n  hint: run: npx service -C ${root} migrate`,
    });
    removeAppFolder(root);
  });
});

describe("reprocess", () => {
  test("with nothing to do reports it and exits with 0", async () => {
    await picture(1);
    expect(await uploads(["reprocess"])).toEqual({
      exitCode: 0,
      stdout: "Every picture has the renditions of its profile",
      stderr: "",
    });
  });

  test("rebuilds the renditions of changed profiles, once", async () => {
    await picture(1);
    await picture(2);
    settings(changed);
    expect(await uploads(["reprocess"])).toEqual({
      exitCode: 0,
      stdout: "2 pictures reprocessed",
      stderr: "",
    });
    const { rows } = await app.db.query("select details from service.uploads");
    for (const { details } of rows) {
      expect(details.renditions.thumb).toMatchObject({ width: 20, height: 20 });
    }
    const { stdout } = await uploads(["reprocess", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ done: 0, missing: [], unreadable: [] });
  });

  test("touches no other profile than the named one", async () => {
    await picture(1);
    settings(changed);
    expect((await uploads(["reprocess", "--profile", "cover"])).stdout).toBe(
      "Every picture has the renditions of its profile",
    );
    expect((await uploads(["reprocess", "--profile", "avatar"])).stdout).toBe(
      "1 picture reprocessed",
    );
  });

  test("a missing picture is reported and skipped", async () => {
    const [gone] = [await picture(1), await picture(2)];
    settings(changed);
    rmSync(pathOf(gone));
    expect(await uploads(["reprocess"])).toEqual({
      exitCode: 0,
      stdout: "1 picture reprocessed",
      stderr: `${gone} is not in the storage and was skipped`,
    });
  });

  test("fields with a custom profile are known, galleries as well", async () => {
    const file = join(app.root, "resources/pets.yaml");
    const migrated = async (...options: string[]) => {
      expect(await app.run(["generate", ...options])).toMatchObject({ exitCode: 0 });
      expect(await app.run(["migrate"])).toMatchObject({ exitCode: 0 });
    };
    writeFileSync(
      file,
      "fields: { portrait: { type: image, profile: small }, photos: { type: image, list: true, profile: small } }\n",
    );
    settings("uploads: { profiles: { small: { width: 100, height: 100 } } }\n");
    await migrated();
    const pictures = [await picture(1, "pets/photos"), await picture(2, "pets/photos")];
    await app.db.query("insert into pets (id, photos) values (gen_random_uuid(), $1)", [pictures]);
    const known = await uploads(["reprocess", "--profile", "small"]);
    const doctor = await service(app.root, ["doctor"]);
    settings("");
    const unknown = await uploads(["reprocess"]);
    rmSync(file);
    await migrated("--allow-destructive", "pets");
    expect(known).toEqual({ exitCode: 0, stdout: "2 pictures reprocessed", stderr: "" });
    expect(doctor.stdout).toContain("schema: matches the migrations");
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^There is no image profile "small", which pets\.portrait has\n {2}hint: there are: default, /,
      ),
    });
  });

  test("an unknown profile is refused, with the intended name", async () => {
    expect(await uploads(["reprocess", "--profile", "avatra"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: 'There is no image profile "avatra"\n  hint: did you mean "avatar"?',
    });
    expect((await uploads(["reprocess", "--profile", "x"])).stderr).toBe(
      'There is no image profile "x"\n  hint: there are: default, product, avatar, cover',
    );
  });

  test("descriptors that were not generated yet change nothing", async () => {
    const file = join(app.root, "resources/pets.yaml");
    writeFileSync(file, "fields: { portrait: { type: imago } }\n");
    const { exitCode, stderr } = await uploads(["reprocess"]);
    rmSync(file);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("Ctrl-C leaves every picture complete, and the next run continues from there", async () => {
    for (let number = 1; number < 10; number += 1) await picture(number);
    settings(changed);
    const done = () => app.db.query(`select from service.uploads where profile <> $1`, [former]);
    await app.db.query("begin");
    // The server of the database may still finish one of these after its client has gone.
    await app.db.query("select from service.uploads where key >= $1 for update", [keyOf(5)]);
    const running = startService(app.root, ["uploads", "reprocess"]);
    await expect.poll(async () => (await done()).rowCount).toBeGreaterThan(0);
    running.kill("SIGINT");
    expect((await running).signal).toBe("SIGINT");
    await app.db.query("rollback");

    const { stdout } = await uploads(["reprocess"]);
    expect(stdout).toMatch(/^[1-8] pictures? reprocessed$/);
    const { rows } = await app.db.query("select details from service.uploads");
    const urls = rows.map(({ details }): string => details.renditions.thumb.url);
    expect(urls).toHaveLength(9);
    expect(urls.filter((url) => !existsSync(pathOf(url.split("/files/")[1] ?? "")))).toEqual([]);
  });
});
