import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { repository, service, starterApp, startService } from "../cli/service.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Listened, listen } from "../support/processes/listened.js";
import { block } from "./pages.js";

// Compiling and PostgreSQL may share the machine with much else.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let root: string;
let database: TestDatabase;
let dev: Listened;
let shell: Shell;

beforeAll(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  for (const name of ["categories", "products"]) {
    const path = `resources/${name}.yaml`;
    cpSync(join(repository, "fixtures/apps/shop", path), join(root, path));
  }
  const settings = "auth: { registration: true, check_breached_passwords: false }\n";
  writeFileSync(join(root, "service.yaml"), settings);
  const env = { DATABASE_URL: database.url, PORT: "0" };
  const child = startService(root, ["dev"], { env });
  dev = listen({ output: child.stdout, ended: child, end: () => child.kill("SIGTERM") });
  const [, port = ""] = await dev.sees(/answers on http:\/\/127\.0\.0\.1:(\d+)\/api/);
  shell = openShell(port);
});
afterAll(async () => {
  shell.end();
  await dev.stop();
  removeAppFolder(root);
  await database.drop();
});

interface Shell {
  /** Types a block, pastes what it reads, and resolves with all that it printed. */
  type(text: string): Promise<string>;
  end(): void;
}

/** A shell in which the pages' address is the app's, whichever port that has. */
function openShell(port: string): Shell {
  const folder = join(root, "shell");
  mkdirSync(folder);
  const mapping = `connect-to = "127.0.0.1:3000:127.0.0.1:${port}"\nnoproxy = "*"\n`;
  writeFileSync(join(folder, ".curlrc"), mapping);
  const env = { ...process.env, CURL_HOME: folder, HOME: folder };
  const child = spawn("bash", { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const output = listen({ output: child.stdout, ended, end: () => child.kill() });
  let blocks = 0;

  /** What a reader would paste. */
  async function wanted(name: string, printed: () => Promise<string>): Promise<string> {
    if (name === "token") return /"token":"([^"]+)"/.exec(await printed())?.[1] ?? "";
    const lines = { code: / code for \S+: (\d{6})/, link: / link for \S+: \S+[?&]token=([\w-]+)/ };
    const [, found = ""] = await dev.sees(name === "code" ? lines.code : lines.link);
    return found;
  }

  return {
    async type(text) {
      let before = "";
      const printed = async () => {
        blocks += 1;
        child.stdin.write(`echo "end ${blocks}"\n`);
        const [all = ""] = await output.sees(new RegExp(`[\\s\\S]*?end ${blocks}\\n`));
        before += all.replace(/end \d+\n$/, "");
        return before;
      };
      for (const line of text.split("\n")) {
        const [, name] = /^read -r (\w+)/.exec(line) ?? [];
        if (name === undefined) {
          child.stdin.write(`${line}\n`);
          continue;
        }
        await printed();
        const value = await wanted(name, async () => before);
        child.stdin.write(`${line}\n${value}\n`);
      }
      return printed();
    },
    end: () => child.kill(),
  };
}

/** The statuses that `call` prints at the end of each answer. */
function statuses(printed: string): number[] {
  return [...printed.matchAll(/ (\d{3})$/gm)].map(([, status]) => Number(status));
}

test("the functions for curl", async () => {
  expect(await shell.type(block("docs/accounts", "Try it with curl"))).toBe("");
});

test.each([
  ["Password", [201, 204, 201, 200]],
  ["Sign-in by email", [204, 201, 204, 201]],
  ["Reset a password", [204, 204, 204]],
  ["Two-factor authentication", [200, 200, 204, 201, 200, 204]],
  ["Change the email address", [204, 204]],
])('the lines below "%s"', async (heading, expected) => {
  const printed = await shell.type(block("docs/accounts", heading));
  expect(statuses(printed), printed).toEqual(expected);
});

test("the lines on passkeys, uploads and devices", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // A browser would make one; tests of passkeys do so elsewhere.
  await client.query(
    `insert into service.passkeys
       (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports, name, created_at)
     select gen_random_uuid(), id, '\\x01', '\\x01', 0, 'multiDevice', true, '{}', 'Passkey', now()
     from service.users`,
  );
  await client.end();
  const renamed = await shell.type(block("docs/accounts", "Passkeys"));
  expect(statuses(renamed), renamed).toEqual([200]);
  const files = await uploadFiles();
  expect(files).toEqual([201]);
  const ended = await shell.type(block("docs/accounts", "Devices"));
  expect(statuses(ended), ended).toEqual([204, 204, 204]);
});

/** Signed in as before; the lines on devices end that. */
async function uploadFiles(): Promise<number[]> {
  const role = ["user", "set-role", "--email", "ada@new.example", "--role", "admin"];
  await service(root, role, { env: { DATABASE_URL: database.url } });
  const picture = sharp({
    create: { width: 1600, height: 1200, channels: 3, background: "peru" },
  });
  await picture.clone().jpeg().toFile(join(root, "shell/tea.jpg"));
  await picture.png().toFile(join(root, "shell/me.png"));
  const printed = await shell.type(block("docs/files", "Upload"));
  const [, product, avatar] = /^(\{.*\}) 201\n(\{.*\})$/.exec(printed.trim()) ?? [printed];
  expect(product, printed).toBeDefined();
  const { imageFile } = JSON.parse(product ?? "");
  expect(JSON.parse(avatar ?? "").key).toMatch(/^users\/avatar\//);
  const shown = JSON.parse(block("docs/files", "Upload", 2));
  expect(Object.keys(imageFile)).toEqual(Object.keys(shown));
  expect(Object.keys(imageFile.renditions.thumb).sort()).toEqual(
    Object.keys(shown.renditions.thumb).sort(),
  );
  return statuses(printed);
}
