import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DocumentSite, startDocumentSite } from "../../../support/oauth/documents.js";
import {
  connect,
  newCode,
  newVerifier,
  queryOf,
  sendForm,
  sendText,
} from "../../../support/oauth/flow.js";
import { type Person, person } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

// Each parameter of each request: missing, repeated, in another case, and too long.

const web = "https://shop.example.com";
const mcp = `${web}/api/_service/mcp`;

let site: DocumentSite;
let server: AuthServer;
let ada: Person;
let app: string;
beforeAll(async () => {
  site = await startDocumentSite();
  server = await startAuth(
    `auth: { check_breached_passwords: false, apps: { allow: ["${site.host}"] } }
webhooks: { allow: [127.0.0.1] }
`,
    { SERVICE_WEB_URL: web },
  );
  app = site.publish("/client.json", {});
  ada = await person(server, "ada");
});
beforeEach(() => server.clock.moveOn(61));
afterAll(async () => {
  await server.close();
  await site.close();
});

type Change = "missing" | "repeated" | "in another case" | "too long";

const changes: readonly Change[] = ["missing", "repeated", "in another case", "too long"];

/** The parameters with one of them changed. */
function changed(sent: URLSearchParams, name: string, change: Change): string {
  const value = sent.get(name) ?? expect.unreachable(name);
  const written = new URLSearchParams(sent);
  if (change === "repeated") written.append(name, value);
  else written.delete(name);
  if (change === "in another case") written.set(name.toUpperCase(), value);
  // Within the limits of the query and of the form, which have their own tests.
  if (change === "too long") written.set(name, value + "a".repeat(6_000));
  return written.toString();
}

const all = (names: readonly string[]) =>
  names.flatMap((name) => changes.map((change) => [name, change] as const));

describe("a request of an app with", () => {
  /** Of these, the request may do without, or any text is right. */
  const right: readonly (readonly [string, Change])[] = [
    ["scope", "missing"],
    ["scope", "in another case"],
    ["resource", "missing"],
    ["resource", "in another case"],
    ["response_mode", "missing"],
    ["response_mode", "in another case"],
    ["state", "missing"],
    ["state", "in another case"],
    ["state", "too long"],
  ];

  test.each(
    all([
      "response_type",
      "client_id",
      "redirect_uri",
      "scope",
      "state",
      "code_challenge",
      "code_challenge_method",
      "resource",
      "response_mode",
    ]),
  )("its %s %s", async (name, change) => {
    const more = { resource: mcp, response_mode: "query", scope: "read" };
    const sent = new URLSearchParams(queryOf(app, newVerifier().challenge, more));
    const query = changed(sent, name, change);
    const { status, body } = await ada.caller.post<{ redirectTo?: string }>("/oauth/authorize", {
      query,
      allow: true,
    });
    const isRight = right.some((one) => one.join() === [name, change].join());
    if (["client_id", "redirect_uri"].includes(name)) {
      expect(status).toBe(400);
      expect(body).not.toHaveProperty("redirectTo");
      return;
    }
    expect(status).toBe(200);
    const back = new URL(body.redirectTo ?? "").searchParams;
    expect([back.has("code"), back.has("error")]).toEqual([isRight, !isRight]);
    expect(back.get("iss")).toBe(web);
  });
});

describe("a form with", () => {
  test.each(all(["grant_type", "code", "redirect_uri", "client_id", "code_verifier", "resource"]))(
    "a code and its %s %s",
    async (name, change) => {
      const form = { ...(await newCode(ada.caller, app)), resource: mcp };
      const sent = new URLSearchParams(form as Record<string, string>);
      const reply = await sendText(server.url, "/oauth/token", changed(sent, name, change));
      const mayLack = name === "resource" && ["missing", "in another case"].includes(change);
      expect(reply.status).toBe(mayLack ? 200 : 400);
      if (mayLack) return;
      expect(reply.body).not.toHaveProperty("access_token");
      // What was refused has not used the code.
      expect((await sendForm(server.url, "/oauth/token", form)).status).toBe(200);
    },
  );

  test.each(all(["grant_type", "refresh_token", "client_id", "scope", "resource"]))(
    "a refresh token and its %s %s",
    async (name, change) => {
      const { refresh_token } = await connect(server.url, ada.caller, app, { scope: "read" });
      const form = { grant_type: "refresh_token", refresh_token, client_id: app };
      const sent = new URLSearchParams({ ...form, scope: "read", resource: mcp });
      const reply = await sendText(server.url, "/oauth/token", changed(sent, name, change));
      const isOptional = ["scope", "resource"].includes(name);
      const mayLack = isOptional && ["missing", "in another case"].includes(change);
      expect(reply.status).toBe(mayLack ? 200 : 400);
      if (!mayLack) expect(reply.body).not.toHaveProperty("access_token");
      expect((await sendForm(server.url, "/oauth/token", form)).status).toBe(200);
    },
  );

  test.each(all(["token", "client_id", "token_type_hint"]))(
    "a revocation and its %s %s",
    async (name, change) => {
      const { refresh_token } = await connect(server.url, ada.caller, app);
      const form = { token: refresh_token, client_id: app, token_type_hint: "refresh_token" };
      const sent = new URLSearchParams(form);
      const reply = await sendText(server.url, "/oauth/revoke", changed(sent, name, change));
      // An unknown token is revoked already (RFC 7009 §2.2); hints may be wrong.
      const isUnknown = name === "token" && change === "too long";
      const mayLack = name !== "token" && ["missing", "in another case"].includes(change);
      const isHint = name === "token_type_hint" && change === "too long";
      expect(reply.status).toBe(isUnknown || mayLack || isHint ? 200 : 400);
      const again = { grant_type: "refresh_token", refresh_token, client_id: app };
      const { status } = await sendForm(server.url, "/oauth/token", again);
      expect(status).toBe(mayLack || isHint ? 400 : 200);
    },
  );
});
