import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { developmentLines } from "../../../runtime/mail/development.js";
import { createDatabase } from "../../support/database/database.js";
import { link, messages } from "./support/messages.js";

const run = promisify(execFile);
const room = new URL("../../../dist/runtime/mail/index.js", import.meta.url).href;
const databaseRoom = new URL("../../../dist/runtime/db/index.js", import.meta.url).href;

const lines = [
  `Sign-in link for ada@example.com: ${link}`,
  "Sign-in code for ada@example.com: 482910",
  "Second-step code for ada@example.com: 482910",
  "Set-up code for ada@example.com: 482910",
  "Verification code for ada@example.com: 482910",
  `Verification link for ada@example.com: ${link}`,
  "Verification code for ada@example.com: 482910",
  `Reset link for ada@example.com: ${link}`,
  `Invitation for ada@example.com: ${link}`,
  "Address-change code for ada@example.com: 482910",
  `Address-change link for ada@example.com: ${link}`,
  "Address-change code for ada@example.com: 482910",
];

test("every code and link has a line", () => {
  expect(Object.values(messages).flatMap(developmentLines)).toEqual(lines);
});

/** What a process prints that sends all the messages. */
async function printed(environment: string, mailer: object): Promise<string> {
  const config = { app: { name: "Shop" }, environment, mailer };
  const database = await createDatabase();
  const { stdout, stderr } = await run(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { openDatabase } from ${JSON.stringify(databaseRoom)};
     import { openMailer } from ${JSON.stringify(room)};
     const log = { debug() {}, warn() {} };
     const db = openDatabase({ url: ${JSON.stringify(database.url)}, poolSize: 1, prepare: true });
     const secrets = { secret: Buffer.alloc(32), previousSecret: null };
     const mailer = openMailer({ config: { ...secrets, ...${JSON.stringify(config)} }, db, log });
     for (const message of ${JSON.stringify(Object.values(messages))}) {
       await db.transaction((tx) => mailer.send(tx, message));
     }
     await db.close();`,
  ]);
  await database.drop();
  return stdout + stderr;
}

const none = { driver: "none", from: "Shop <no-reply@shop.example>" };
const smtp = { ...none, driver: "smtp", url: "smtp://127.0.0.1:1" };

test.each([none, smtp])("development prints them with the driver $driver", async (mailer) => {
  expect(await printed("development", mailer)).toBe(`${lines.join("\n")}\n`);
});

test.each(["production", "test", "other"])("%s prints nothing", async (environment) => {
  expect(await printed(environment, none)).toBe("");
  expect(await printed(environment, smtp)).toBe("");
});
