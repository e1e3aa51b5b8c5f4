import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { acceptNewPassword } from "../../../../runtime/auth/password/rules.js";
import type { Config } from "../../../../runtime/config/index.js";
import { Refusal } from "../../../../runtime/errors/index.js";
import { client } from "../../../support/http/client.js";
import { rare, test } from "../../../support/rare.js";
import { countStatuses } from "../support/concurrency.js";
import { type AuthServer, startAuth } from "../support/server.js";

let list: Server;
let server: AuthServer;
let asked: { url: string | undefined; padding: unknown }[];
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  list = createServer((request, response) => {
    asked.push({ url: request.url, padding: request.headers["add-padding"] });
    respond(response);
  });
  await new Promise<void>((resolve) => list.listen(0, "127.0.0.1", resolve));
  const { port } = list.address() as AddressInfo;
  server = await startAuth("", { SERVICE_BREACH_URL: `http://127.0.0.1:${port}/api/` });
});
beforeEach(() => {
  asked = [];
  respond = (response) => response.end("");
});
afterAll(async () => {
  await server.close();
  list.closeAllConnections();
  list.close();
});

async function outcome(password: string, config: Config = server.services.config): Promise<string> {
  try {
    return await acceptNewPassword(config, { password, path: "newPassword" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const issues = error.details.issues ?? [];
    expect(issues).toEqual([{ path: "newPassword", message: expect.stringMatching(/./) }]);
    return error.code;
  }
}

const sha1 = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();

test.each([
  ["1234567", "PASSWORD_TOO_SHORT"],
  ["💻".repeat(7), "PASSWORD_TOO_SHORT"],
  ["e\u0301".repeat(7), "PASSWORD_TOO_SHORT"],
  ["x".repeat(257), "PASSWORD_TOO_LONG"],
  ["\ufb03".repeat(86), "PASSWORD_TOO_LONG"],
  ["\u0301\u0316".repeat(250_000), "PASSWORD_TOO_LONG"],
  ["a password \ud800", "INVALID"],
])("refuses %j", async (password, code) => {
  expect(await outcome(password)).toBe(code);
  expect(asked).toEqual([]);
});

test.each([
  ["12345678", "12345678"],
  ["💻".repeat(8), "💻".repeat(8)],
  ["        ", "        "],
  [" e\u0301\ufb01 secret ", " éfi secret "],
  ["e\u0301".repeat(256), "é".repeat(256)],
])("accepts %j in its NFKC form", async (password, comparable) => {
  expect(await outcome(password)).toBe(comparable);
});

test("asks for the first five characters of the NFKC form's hash, and for padding", async () => {
  await outcome("pa\ufb00word");
  expect(asked).toEqual([{ url: `/api/range/${sha1("paffword").slice(0, 5)}`, padding: "true" }]);
});

test.each([
  ["a row of the list", (suffix: string) => `0000\r\n${suffix}:3\r\nFFFF:1\r\n`],
  ["lower case", (suffix: string) => `${suffix.toLowerCase()}:3`],
])("refuses a password found as %s", async (_title, rows) => {
  respond = (response) => response.end(rows(sha1("password1").slice(5)));
  expect(await outcome("password1")).toBe("PASSWORD_COMPROMISED");
});

test.each([
  ["only padding", (suffix: string) => `${suffix}:0\r\n`],
  ["other rows", () => "0018A45C4D1DEF81644B54AB7F969B88D65:21\r\n"],
  ["no rows at all", () => "<html>"],
])("accepts a password if the response has %s", async (_title, rows) => {
  respond = (response) => response.end(rows(sha1("password1").slice(5)));
  expect(await outcome("password1")).toBe("password1");
});

test("accepts a password if the list cannot be reached, fails, or takes over two seconds", async () => {
  respond = (response) => response.destroy();
  expect(await outcome("password1")).toBe("password1");
  respond = (response) => response.writeHead(500).end(`${sha1("password1").slice(5)}:3`);
  expect(await outcome("password1")).toBe("password1");
  // It would never end.
  respond = (response) => response.write("half an answer");
  expect(await outcome("password1")).toBe("password1");
});

test("a response of more than a megabyte is abandoned, and read no further", async () => {
  let sent = 0;
  let isCut = false;
  const row = Buffer.from(`${sha1("password1").slice(5)}:3\r\n`.repeat(1_000));
  respond = (response) => {
    response.on("close", () => {
      isCut = true;
    });
    response.writeHead(200);
    const push = () => {
      while (!isCut && sent < 200_000_000) {
        sent += row.length;
        if (!response.write(row)) {
          response.once("drain", push);
          return;
        }
      }
    };
    push();
  };
  expect(await outcome("password1")).toBe("password1");
  await expect.poll(() => isCut).toBe(true);
  expect(sent).toBeLessThan(20_000_000);
});

rare(
  "with a list that answers byte by byte, a hundred concurrent ones are all accepted within two seconds",
  async () => {
    respond = (response) => {
      const drip = setInterval(() => response.write("0"), 100);
      response.on("close", () => clearInterval(drip));
    };
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, at) => outcome(`a password ${at}`)),
    );
    expect(outcomes).toEqual(Array.from({ length: 100 }, (_, at) => `a password ${at}`));
  },
);

rare(
  "with such a list none of a hundred concurrent registrations is refused",
  async () => {
    respond = (response) => {
      const drip = setInterval(() => response.write("0"), 100);
      response.on("close", () => clearInterval(drip));
    };
    const registering = await startAuth("auth: { registration: true }\n", {
      SERVICE_BREACH_URL: server.services.config.breachUrl,
    });
    try {
      const anonymous = client(registering.url, null);
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          anonymous.post("/auth/register", {
            name: "Somebody",
            email: `somebody-${at}@example.com`,
            password: `a password ${at}`,
          }),
        ),
      );
      expect(countStatuses(replies)).toEqual({ 201: 100 });
    } finally {
      await registering.close();
    }
  },
  60_000,
);

test("sends no request if the check is disabled", async () => {
  const { config } = server.services;
  const off = { ...config, auth: { ...config.auth, checkBreachedPasswords: false } };
  expect(await outcome("password1", off)).toBe("password1");
  expect(asked).toEqual([]);
});

test("a word that the app forbids is refused, in any case and Unicode form", async () => {
  const { config } = server.services;
  const forbiddenPasswordWords = ["acme", "stra\u00dfe"];
  const strict = { ...config, auth: { ...config.auth, forbiddenPasswordWords } };
  expect(await outcome("my ACME password", strict)).toBe("INVALID");
  expect(await outcome("\uff41\uff43\uff4d\uff45 2026", strict)).toBe("INVALID");
  expect(await outcome("Sesamstra\u00dfe 12", strict)).toBe("INVALID");
  expect(asked).toEqual([]);
  expect(await outcome("my ac me password", strict)).toBe("my ac me password");
});

test.each([
  ["stra\u00dfe", "SESAMSTRASSE 12"],
  ["stra\u00dfe", "Sesamstra\u1e9ee 12"],
  ["strasse", "Sesamstra\u00dfe 12"],
  // Greek: a small sigma has another form at the end of a word.
  ["\u03bf\u03b4\u03cc\u03c2", "\u039f\u0394\u038c\u03a3\u0391 2026"],
  ["\u03bf\u03b4\u03cc\u03c2", "\u03bf\u03b4\u03cc\u03c3\u03b1 2026"],
  // Turkish: the capital of a dotted i, and the small letter of one without a dot.
  ["istanbul", "\u0130STANBUL 2026"],
  ["\u0131stanbul", "ISTANBUL 2026"],
])("the word %j is found in %j, whose letters have another case", async (word, password) => {
  const { config } = server.services;
  const strict = { ...config, auth: { ...config.auth, forbiddenPasswordWords: [word] } };
  expect(await outcome(password, strict)).toBe("INVALID");
});
