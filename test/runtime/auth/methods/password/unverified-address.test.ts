import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;

beforeAll(async () => {
  server = await startAuth(
    "auth: { require_email_verification: true, check_breached_passwords: false }\n",
  );
  anonymous = client(server.url, null);
});
afterAll(() => server.close());

test("an unverified address is reported after the right password only", async () => {
  const email = await server.account("eve");
  expect((await anonymous.post("/auth/token", { email, password: rightPassword })).status).toBe(
    201,
  );
  await server.services.db.query("update service.users set email_verified_at = null");

  const right = await anonymous.post("/auth/token", { email, password: rightPassword });
  expect(right.status).toBe(403);
  expect(right.body).toEqual({
    error: "Verify your email address first",
    code: "EMAIL_NOT_VERIFIED",
  });

  const wrong = await anonymous.post("/auth/token", { email, password: "wrong password" });
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({ code: "INVALID_EMAIL_OR_PASSWORD" });
});
