import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignInAnswer } from "../runtime/auth/support/people.js";
import {
  type Confirmed,
  type Invited,
  totpAt,
  type Verified,
} from "../runtime/auth/support/second-step.js";
import { type Client, client, type Json, type Reply, type Row } from "../support/http/client.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

const secret = "the secret of a server that must not be told";
const previousSecret = "the secret before it that must not be told";
const proxySecret = "the secret shared with the dashboard";

let host: ShopHost;

beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

/** Runs a statement past the server. */
async function sql(text: string): Promise<void> {
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  await db.query(text);
  await db.end();
}

/** What a journey has: a server, callers, and a place to put what must appear nowhere. */
interface Traveller {
  readonly server: ShopServer;
  readonly anonymous: Client;
  readonly admin: Client;
  /** Records a secret; the answer is the same one. */
  hide(secret: string): string;
  /** Records the answer to a request; not for those that issue secrets. */
  answered(reply: Reply<unknown>, status: number): void;
}

type Journey = (traveller: Traveller) => Promise<void>;

/** Every way of handling secrets; a new method adds its own. */
const journeys: Readonly<Record<string, Journey>> = {
  "right and wrong passwords": async ({ anonymous, hide, answered }) => {
    const { email } = account;
    const signIn = (password: Json) => anonymous.post("/auth/token", { email, password });
    answered(await signIn(hide("a wrong password")), 401);
    answered(await signIn(hide(`a password that is too long ${"x".repeat(300)}`)), 401);
    answered(await signIn([hide("a password in a list")]), 422);
    answered(
      await anonymous.post("/auth/token", { email: hide("a password as address"), password: "" }),
      401,
    );
    answered(await anonymous.post("/auth/token", { password: hide("a password alone") }), 422);
  },
  "changing the password": async ({ admin, hide, answered }) => {
    const change = (currentPassword: string, newPassword: string) =>
      admin.post("/auth/password", { currentPassword, newPassword });
    answered(await change(hide("not the current one"), hide("a new one of no use")), 422);
    answered(await change(account.password, hide("2short!")), 422);
    const other = hide("another password of the tests");
    answered(await change(account.password, other), 204);
    answered(await change(other, account.password), 204);
  },
  "setting a second step up, passing it and switching it off": async (traveller) => {
    const { admin, anonymous, hide, answered } = traveller;
    const { email, password } = account;
    const { body: app } = await admin.post<Invited>("/auth/two-factor/enable", { password });
    for (const text of [app.secret, app.uri, app.qrCode]) hide(text);
    const confirm = (code: string) =>
      admin.post<Confirmed>("/auth/two-factor/confirm", { code: hide(code) });
    answered(await confirm("wrong-code-of-a-set-up"), 422);
    const { body } = await admin.post<Confirmed>("/auth/two-factor/confirm", {
      code: totpAt(app.secret, new Date()),
    });
    const [code = ""] = body.backupCodes.map(hide);

    const signIn = await anonymous.post<SignInAnswer>("/auth/token", { email, password });
    const challenge = hide(signIn.body.challenge);
    const verify = (method: string, tried: string) =>
      anonymous.post<Verified>("/auth/two-factor/verify", { challenge, method, code: tried });
    answered(await anonymous.post("/auth/two-factor/send", { challenge }), 204);
    answered(await verify("totp", hide("wrong-code-of-an-app")), 401);
    answered(await verify(hide("a-code-as-the-method"), ""), 422);
    await sql(
      `alter table service.sessions
         add constraint refuses_all check (expires_at < '2000-01-01') not valid`,
    );
    answered(await verify("backup", code), 500);
    await sql("alter table service.sessions drop constraint refuses_all");
    hide((await verify("backup", code)).body.token);
    answered(await verify("backup", code), 401);
    answered(await admin.post("/auth/two-factor/disable", { password }), 204);
  },
  "bodies that are malformed": async ({ anonymous, hide, answered }) => {
    const send = (text: string, headers = {}) =>
      anonymous.send("POST", "/auth/token", { text, headers });
    answered(await send(`{"password":"${hide("a password in broken JSON")}`), 400);
    answered(
      await send(hide("password=a-password-of-a-form"), { "content-type": "text/plain" }),
      415,
    );
    answered(await send(`"${hide("a password as the whole body")}"`), 400);
    answered(await send(`{"password":"${hide("a huge password")}${"x".repeat(2_000_000)}"}`), 413);
  },
  "tokens in the right and in the wrong places": async ({ server, hide, answered }) => {
    const token = hide("t".repeat(43));
    const bearer = { authorization: `Bearer ${token}` };
    answered(await client(server.url, token).get("/auth/me"), 401);
    answered(await server.admin.get(`/auth/me?access_token=${hide("token-in-the-query")}`), 200);
    answered(
      await server.anonymous.send("DELETE", "/auth/token", {
        headers: { authorization: `Basic ${hide("YTpwYXNzd29yZA==")}` },
      }),
      401,
    );
    answered(await server.anonymous.send("PUT", "/auth/token", { headers: bearer }), 405);
    answered(await server.anonymous.send("GET", "/nowhere", { headers: bearer }), 404);
    answered(
      await server.anonymous.send("GET", "/auth/me", {
        headers: {
          "x-service-proxy-secret": hide("a wrong secret of the dashboard"),
          cookie: `service_token=${hide("c".repeat(43))}`,
        },
      }),
      401,
    );
  },
  "records, queries and files": async ({ server, admin, hide, answered }) => {
    const name = hide("a name in a record");
    const fields = { name, price: 1, categoryId: server.category.id };
    const sent = {
      text: JSON.stringify(fields),
      headers: { "idempotency-key": hide(`key-of-${server.category.id}`) },
    };
    const made = await admin.send<Row>("POST", "/products", sent);
    expect(made.status).toBe(201);
    answered(await admin.get(`/products?q=${hide("word-that-is-asked-for")}`), 200);
    answered(await admin.get(`/products?filter[name]=${hide("value-of-a-filter")}`), 200);
    const where = encodeURIComponent(`{"name":"${hide("value in a where")}"}`);
    answered(await admin.get(`/products?where=${where}`), 200);
    answered(await admin.get(`/products/${hide("id-that-is-none")}`), 404);
    const file = { text: Buffer.from("%PDF-1.4\n%%EOF\n"), headers: { "content-type": undefined } };
    const path = `/_service/uploads/products/manual?name=${hide("file-that-nobody-logs")}.pdf`;
    expect((await admin.send("PUT", path, file)).status).toBe(201);
    // A statement that fails has all values with it.
    await sql("alter table products rename to products_gone");
    answered(await admin.post("/products", { ...fields, name: hide("a name that is lost") }), 500);
    answered(await admin.get(`/products?q=${hide("word-that-fails")}`), 500);
    await sql("alter table products_gone rename to products; delete from products");
  },
  "mailed codes and links, and service tokens": async (traveller) => {
    const { server, anonymous, admin, hide, answered } = traveller;
    const email = hide("somebody@nobody-logs.example");
    const token = hide("t0ken-of-a-link-that-is-none-0123456789abcde");
    const password = hide("a password that somebody registers");
    for (const [path, body] of [
      ["/auth/email-code", { email }],
      ["/auth/email-code/verify", { email, code: hide("918273") }],
      ["/auth/magic-link", { email }],
      ["/auth/magic-link/verify", { token }],
      ["/auth/register", { name: hide("Somebody Unlogged"), email, password }],
      ["/auth/email/send", { email }],
      ["/auth/email/verify", { email, code: hide("817263") }],
      ["/auth/password/forgot", { email }],
      ["/auth/password/reset", { token, newPassword: hide("a password for a reset") }],
    ] as const) {
      const reply = await anonymous.post(path, body);
      expect(reply.status, path).toBeLessThan(500);
      answered(reply, reply.status);
    }
    const made = await admin.post<{ token: string }>("/auth/service-tokens", { name: "robot" });
    expect(made.status).toBe(201);
    const robot = client(server.url, hide(made.body.token));
    answered(await robot.get("/auth/sessions"), 200);
  },
  "our own mistakes": async ({ anonymous, admin, hide, answered }) => {
    const { email, password } = account;
    // What is stored is refused: PostgreSQL quotes the whole row that it refused.
    await sql(
      `alter table service.sessions
         add constraint refuses_all check (expires_at < '2000-01-01') not valid`,
    );
    answered(await anonymous.post("/auth/token", { email, password }), 500);
    await sql("alter table service.sessions drop constraint refuses_all");
    await sql(
      `alter table service.users
         add constraint refuses_all check (generation < 0) not valid`,
    );
    const newPassword = hide("a password that cannot be stored");
    answered(await admin.post("/auth/password", { currentPassword: password, newPassword }), 500);
    await sql("alter table service.users drop constraint refuses_all");
    await sql("alter table service.attempts rename to gone");
    answered(await anonymous.post("/auth/token", { email, password }), 500);
    await sql("alter table service.gone rename to attempts");
  },
  "a database that is gone": async ({ anonymous, admin, hide, answered }) => {
    await host.stopDatabase();
    const password = hide("a password without a database");
    answered(await anonymous.post("/auth/token", { email: account.email, password }), 503);
    answered(await admin.get("/auth/me"), 503);
    await host.startDatabase();
  },
};

// In development codes and links are printed, and meant to be.
test.each(["production", "test"])(
  "in %s neither the log nor a response has a secret",
  async (environment) => {
    await sql("delete from service.attempts");
    const server = await host.serve({
      NODE_ENV: environment,
      SERVICE_LOG_LEVEL: "trace",
      SERVICE_SECRET: secret,
      SERVICE_SECRET_PREVIOUS: previousSecret,
      SERVICE_PROXY_SECRET: proxySecret,
      SERVICE_WEB_URL: "https://shop.example",
    });
    const hidden = [account.password, server.token, secret, previousSecret, proxySecret];
    const answers: string[] = [];
    const traveller: Traveller = {
      server,
      anonymous: server.anonymous,
      admin: server.admin,
      hide: (text) => {
        hidden.push(text);
        return text;
      },
      answered: (reply, status) => {
        expect(reply.status, reply.text).toBe(status);
        answers.push(JSON.stringify(reply.headers), reply.text);
      },
    };
    for (const journey of Object.values(journeys)) {
      await sql("delete from service.attempts");
      await journey(traveller);
    }
    server.process.kill("SIGTERM");
    const { stdout, stderr } = await server.process;
    // Stored forms of secrets are no better: they can be guessed at.
    for (const text of [...hidden, "$argon2", "Failing row"]) {
      expect(stdout).not.toContain(text);
      expect(stderr).not.toContain(text);
      expect(answers.join("\n")).not.toContain(text);
    }
    expect(stdout).toContain('"route":"/api/auth/password"');
    expect(stdout).toContain("request failed");
    expect(stdout).toContain("database unavailable");
  },
);
