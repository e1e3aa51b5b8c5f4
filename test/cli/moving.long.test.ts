import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totpAt } from "../runtime/auth/support/second-step.js";
import { newAuthenticator } from "../support/accounts/authenticator.js";
import { created } from "../support/apps/shop.js";
import { hasPostgres15, startPostgres15 } from "../support/database/debian.js";
import { client } from "../support/http/client.js";
import { account, openHost, type ShopHost } from "../support/processes/shop-process.js";
import { download, upload } from "../support/storage/files.js";
import { hasSwift, newBucket, type S3Server, startS3Server } from "../support/storage/s3.js";
import { service } from "./service.js";

const picture = readFileSync(
  resolve(import.meta.dirname, "../../fixtures/pictures/everything.jpg"),
);
const origin = "https://shop.example.com";
const web = { SERVICE_WEB_URL: origin };

let host: ShopHost;
let bucketServer: S3Server;
let postgres: Awaited<ReturnType<typeof startPostgres15>>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-moving-"));
  host = await openHost();
  bucketServer = await startS3Server();
  await newBucket(bucketServer, "moved");
  postgres = await startPostgres15();
});
afterAll(async () => {
  await host.close();
  await postgres.stop();
  await bucketServer.close();
  rmSync(folder, { recursive: true });
});

const secret = { SERVICE_SECRET: "a secret of the tests, long enough" };

function onDisk(): void {
  write("");
}

function inBucket(): void {
  const { endpoint, accessKeyId, secretAccessKey } = bucketServer;
  const keys = `access_key_id: "${accessKeyId}", secret_access_key: "${secretAccessKey}"`;
  const place = `bucket: moved, region: us-east-1, endpoint: "${endpoint}", force_path_style: true`;
  write(`uploads: { storage: { driver: s3, ${place}, ${keys} } }\n`);
}

function write(uploads: string): void {
  const auth = "auth: { check_breached_passwords: false }\n";
  writeFileSync(join(host.root, "service.yaml"), auth + uploads);
}

test.skipIf(!hasSwift || !hasPostgres15)(
  "an app moves from the embedded database and disk to PostgreSQL 15 and a bucket, and back",
  async () => {
    onDisk();
    const first = await host.serve(web);
    const { admin, token } = first;
    const image = (await upload(admin, "products/image", "tea.jpg", picture)).body;
    const avatar = await admin.send<{ key: string }>("PUT", "/auth/avatar?name=me.jpg", {
      text: picture,
      headers: { "content-type": undefined },
    });
    expect([image.key, avatar.status]).toEqual([expect.any(String), 201]);
    const product = await created(admin, "products", {
      ...{ name: "Tea", price: 4, categoryId: first.category.id, image: image.key },
    });
    const passkey = newAuthenticator({ origin });
    const options = await admin.post<never>("/auth/passkeys/options", {});
    expect(options.status, options.text).toBe(200);
    const added = await admin.post("/auth/passkeys", { credential: passkey.create(options.body) });
    expect(added.status, added.text).toBe(201);
    const { password } = account;
    const enabled = await admin.post<{ secret: string }>("/auth/two-factor/enable", { password });
    const app = enabled.body.secret;
    // The code of the step before, so that the present one is still good.
    const confirmed = await admin.post<{ backupCodes: string[] }>("/auth/two-factor/confirm", {
      code: totpAt(app, new Date(), -1),
    });
    expect(confirmed.status, confirmed.text).toBe(200);
    const codes = confirmed.body.backupCodes;
    const bytes = (await download(first.url, new URL(image.url, first.url).pathname)).bytes;
    first.process.kill("SIGTERM");
    await first.process;

    const there = { ...secret, DATABASE_URL: postgres.url };
    const here = { ...secret, DATABASE_URL: host.databaseUrl };
    let from: Readonly<Record<string, string>> = here;
    for (const [to, place] of [
      [there, inBucket],
      [here, onDisk],
    ] as const) {
      const archive = join(folder, "moving.backup");
      const made = await service(host.root, ["backup", archive, "--json"], { env: from });
      expect(made).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(made.stdout)).toMatchObject({ accounts: 1, missing: [], unmanaged: [] });
      place();
      if (to === here) rmSync(join(host.root, "storage"), { recursive: true });
      const how = to === here ? ["--replace"] : [];
      const restored = await service(host.root, ["restore", archive, "--json", ...how], {
        env: to,
      });
      expect(restored, restored.stderr).toMatchObject({ exitCode: 0 });
      const doctor = await service(host.root, ["doctor", "--json"], { env: to });
      const findings: { check: string; ok: boolean }[] = JSON.parse(doctor.stdout).findings;
      const wrong = findings.filter(({ ok }) => !ok).map(({ check }) => check);
      expect(wrong.filter((check) => !["mailer", "jobs"].includes(check))).toEqual([]);

      const server = host.run({ ...to, ...web });
      const url = await addressOf(server);
      // The device of before.
      const device = client(url, token);
      const me = await device.get("/auth/me");
      expect(me.status, me.text).toBe(200);
      const found = await device.get<{ image: string; imageFile: { url: string } }>(
        `/products/${product.id}`,
      );
      expect(found.body.image).toBe(image.key);
      const { pathname } = new URL(found.body.imageFile.url, url);
      expect((await download(url, pathname)).bytes.equals(bytes)).toBe(true);
      const list = await device.list("/products?perPage=1");
      expect(list.body.meta.total).toBe(1);
      const anonymous = client(url, null);
      const challenged = await anonymous.post<{ challenge: string }>("/auth/token", account);
      const { challenge } = challenged.body;
      const step =
        to === there
          ? { method: "totp", code: totpAt(app, new Date()) }
          : { method: "backup", code: codes[0] };
      const second = await anonymous.post("/auth/two-factor/verify", { challenge, ...step });
      expect(second.status, second.text).toBe(201);
      const asked = await anonymous.post<never>("/auth/passkey/options", {});
      const signedIn = await anonymous.post("/auth/passkey", {
        credential: passkey.get(asked.body),
      });
      expect(signedIn.status, signedIn.text).toBe(201);
      server.kill("SIGTERM");
      await server;
      from = to;
    }
  },
  300_000,
);

function addressOf(server: ReturnType<ShopHost["run"]>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /"address":"([^"]+)"/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.then(({ stderr }) => reject(new Error(`The server ended: ${stderr} ${said}`)), reject);
  });
}
