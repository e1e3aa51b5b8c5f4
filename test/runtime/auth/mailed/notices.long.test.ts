import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { disableTwoFactor } from "../../../../runtime/auth/index.js";
import { client } from "../../../support/http/client.js";
import { mailedCode, newestMail, tokenIn } from "../support/mails.js";
import {
  atDashboard,
  type PasskeyPerson,
  type PasskeyServer,
  startPasskeys,
} from "../support/passkeys.js";
import { breakTable, forgetProof } from "../support/rows.js";
import { challenge, emailPerson, verify } from "../support/second-step.js";
import { rightPassword } from "../support/server.js";

const password = rightPassword;

let server: PasskeyServer;
let ada: PasskeyPerson;

beforeAll(async () => {
  server = await startPasskeys("registration: true");
});
beforeEach(async () => {
  ada = await server.person();
  server.outbox.clear();
});
afterAll(() => server.close());

/** The notices sent: to whom, under which name, and about what. */
function sentNotices({ outbox }: PasskeyServer = server): readonly unknown[] {
  return outbox.notices.map(({ to, name, kind }) => [to, name, kind]);
}

test("a changed password is notified once, with the time", async () => {
  const body = { currentPassword: password, newPassword: "another password" };
  expect((await ada.client.post("/auth/password", body)).status).toBe(204);
  expect(server.outbox.notices).toEqual([
    {
      to: ada.email,
      name: ada.name,
      kind: "password-changed",
      at: server.services.clock.now().toISOString(),
    },
  ]);
});

test.each([
  ["by name if the address was verified", false],
  ["without a name if it was not", true],
])("a reset password is notified %s", async (_title, isUnverified) => {
  if (isUnverified) await forgetProof(server, ada.email);
  await server.anonymous.post("/auth/password/forgot", { email: ada.email });
  const token = tokenIn(newestMail(server, ada.email, "reset-link").link);
  const reset = { token, newPassword: "another password" };
  expect((await server.anonymous.post("/auth/password/reset", reset)).status).toBe(204);
  expect(sentNotices()).toEqual([[ada.email, isUnverified ? null : ada.name, "password-reset"]]);
});

test("the seventh change of a kind in an hour is made without a notice", async () => {
  let current = password;
  for (let count = 1; count <= 8; count += 1) {
    const body = { currentPassword: current, newPassword: `another password ${count}` };
    expect((await ada.client.post("/auth/password", body)).status).toBe(204);
    current = body.newPassword;
    expect(sentNotices()).toHaveLength(Math.min(count, 6));
  }
  await ada.enrolled();
  expect(sentNotices().at(-1)).toEqual([ada.email, ada.name, "passkey-added"]);
  server.clock.moveOn(3601);
  const body = { currentPassword: current, newPassword: password };
  const { body: signedIn } = await server.anonymous.post<{ token: string }>("/auth/token", {
    email: ada.email,
    password: current,
  });
  expect((await client(server.url, signedIn.token).post("/auth/password", body)).status).toBe(204);
  expect(sentNotices()).toHaveLength(8);
});

test("an unverified address gets no notices of changes to its account", async () => {
  await forgetProof(server, ada.email);
  const body = { currentPassword: password, newPassword: "another password" };
  expect((await ada.client.post("/auth/password", body)).status).toBe(204);
  await ada.enrolled();
  expect(sentNotices()).toEqual([]);
});

test("a notice is sent when a second step is set up, gets new backup codes, or is disabled", async () => {
  const someone = await emailPerson(server, `step-${ada.name}`);
  const person = [someone.email, `step-${ada.name}`] as const;
  expect(sentNotices()).toEqual([[...person, "second-step-on"]]);
  expect((await someone.caller.post("/auth/two-factor/backup-codes", { password })).status).toBe(
    200,
  );
  expect((await someone.caller.post("/auth/two-factor/disable", { password })).status).toBe(204);
  expect(sentNotices()).toEqual([
    [...person, "second-step-on"],
    [...person, "backup-codes-renewed"],
    [...person, "second-step-off"],
  ]);
});

test("a second step that the operator disables is notified; one that is already off is not", async () => {
  const someone = await emailPerson(server, `lost-${ada.name}`);
  server.outbox.clear();
  await disableTwoFactor(server.services, someone.email);
  await disableTwoFactor(server.services, someone.email);
  expect(sentNotices()).toEqual([[someone.email, `lost-${ada.name}`, "second-step-off"]]);
});

test("passkeys are notified when they are added and removed, not when they are renamed or used", async () => {
  const authenticator = await ada.enrolled();
  await server.signIn(authenticator);
  const { body } = await ada.client.get<{ data: readonly { id: string }[] }>("/auth/passkeys");
  const path = `/auth/passkeys/${body.data[0]?.id}`;
  expect((await ada.client.patch(path, { name: "Laptop" })).status).toBe(200);
  expect((await ada.client.delete(path)).status).toBe(204);
  expect(sentNotices()).toEqual([
    [ada.email, ada.name, "passkey-added"],
    [ada.email, ada.name, "passkey-removed"],
  ]);
});

test("a reader who takes over an account that was set up before is notified, without a name", async () => {
  await forgetProof(server, ada.email);
  await server.anonymous.post("/auth/email-code", { email: ada.email });
  const body = { email: ada.email, code: mailedCode(server, ada.email) };
  expect((await server.anonymous.post("/auth/email-code/verify", body)).status).toBe(201);
  expect(sentNotices()).toEqual([[ada.email, null, "address-adopted"]]);
});

test("failures and other changes are not notified", async () => {
  const { email } = ada;
  await server.anonymous.post("/auth/token", { email, password });
  await ada.client.patch("/auth/me", { name: "Ada again" });
  const wrong = { currentPassword: "a wrong one", newPassword: "another password" };
  expect((await ada.client.post("/auth/password", wrong)).status).toBe(422);
  const credential = atDashboard().create(await ada.creationOptions(), { rpId: "example.com" });
  expect((await ada.client.post("/auth/passkeys", { credential })).status).toBe(422);
  await server.anonymous.post("/auth/email-code", { email });
  const body = { email, code: mailedCode(server, email) };
  expect((await server.anonymous.post("/auth/email-code/verify", body)).status).toBe(201);
  const right = { currentPassword: password, newPassword: "another password" };
  const repair = await breakTable(server, "service.users", "update");
  expect((await ada.client.post("/auth/password", right)).status).toBe(500);
  await repair();
  expect(sentNotices()).toEqual([]);
});

test("no mail is sent if notices are off", async () => {
  const quiet = await startPasskeys("notices: false");
  try {
    const person = await quiet.person();
    const body = { currentPassword: password, newPassword: "another password" };
    expect((await person.client.post("/auth/password", body)).status).toBe(204);
    expect(sentNotices(quiet)).toEqual([]);
  } finally {
    await quiet.close();
  }
});

test("a second kind of second step is notified, and a sign-in with it is not", async () => {
  const someone = await emailPerson(server, `both-${ada.name}`);
  server.outbox.clear();
  const waiting = await challenge(server, someone.email);
  const [code = ""] = someone.backupCodes;
  expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
  expect(sentNotices()).toEqual([]);
  expect((await client(server.url, someone.token).get("/auth/me")).status).toBe(200);
});
