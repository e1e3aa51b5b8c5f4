import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../fixtures/apps/shop/generated/client.js";
import { authMethods, serviceMethods } from "../../generator/model/operations.js";
import { mailedCode, newestMail, tokenIn } from "../runtime/auth/support/mails.js";
import { atDashboard, origin } from "../runtime/auth/support/passkeys.js";
import { totp } from "../runtime/auth/support/second-step.js";
import { type AuthServer, rightPassword, startAuth } from "../runtime/auth/support/server.js";
import { openShop, type Shop } from "../support/apps/shop.js";
import { callback, type DocumentSite, startDocumentSite } from "../support/oauth/documents.js";
import { newVerifier, queryOf, sendForm } from "../support/oauth/flow.js";

let site: DocumentSite;
let server: AuthServer;
let shop: Shop;
beforeAll(async () => {
  site = await startDocumentSite();
  const settings = `auth:
  registration: true
  check_breached_passwords: false
  delete_own_account: true
  sites: { desk: "https://desk.example.com" }
  apps: { allow: ["${site.host}"] }
webhooks: { allow: [127.0.0.1] }
`;
  server = await startAuth(settings, { SERVICE_WEB_URL: origin });
  shop = await openShop();
});
afterAll(async () => {
  await site.close();
  await server.close();
  await shop.app.close();
});

/** Every request that was answered as it should be: `GET /auth/sessions/{id}`. */
const answered = new Set<string>();

/** A client whose requests are recorded. */
function noted(url: string, token: () => string | null): Client {
  return createClient({
    url: `${url}/api`,
    token,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const path = new URL(String(input)).pathname.replace(/^\/api/, "");
      const request = `${init?.method} ${path.replace(/[\da-f]{8}-[\da-f-]{27}/, "{id}")}`;
      if (answer.ok) answered.add(request);
      return answer;
    },
  });
}

let token: string | null = null;
const email = "ada@example.com";

/** The token of a sign-in that needs no second step. */
function signedIn(answer: object): string {
  if (!("token" in answer)) throw new Error(`not signed in: ${JSON.stringify(answer)}`);
  return String(answer.token);
}

test("the client registers, verifies an address, and changes and resets a password", async () => {
  const { auth } = noted(server.url, () => token);
  expect(await auth.config()).toMatchObject({ registration: true, password: true });
  token = signedIn(await auth.register({ name: "Ada", email, password: "a first password" }));
  await auth.sendVerification({ email });
  await auth.verifyEmail({ email, code: newestMail(server, email, "verification").code });
  expect((await auth.updateMe({ name: "Ada L." })).user.name).toBe("Ada L.");
  expect((await auth.me()).user).toMatchObject({ name: "Ada L.", emailVerified: true });
  const passwords = { currentPassword: "a first password", newPassword: "a second password" };
  await auth.changePassword(passwords);
  await auth.forgotPassword({ email });
  const reset = tokenIn(newestMail(server, email, "reset-link").link);
  await auth.resetPassword({ token: reset, newPassword: "a third password" });
  await expect(auth.me()).rejects.toMatchObject({ status: 401 });
  token = signedIn(await auth.signIn({ email, password: "a third password" }));
});

test("it signs in by mail, and ends other devices", async () => {
  const { auth } = noted(server.url, () => token);
  await auth.sendMagicLink({ email });
  signedIn(
    await auth.verifyMagicLink({ token: tokenIn(newestMail(server, email, "sign-in-link").link) }),
  );
  await auth.sendEmailCode({ email });
  const { code } = newestMail(server, email, "sign-in-code");
  signedIn(await auth.verifyEmailCode({ email, code, deviceName: "Phone" }));
  const { data } = await auth.sessions();
  expect(data).toHaveLength(3);
  await auth.endSession(data.find(({ name }) => name === "Phone")?.id ?? "");
  await auth.endOtherSessions();
  expect((await auth.sessions()).data.map(({ current }) => current)).toEqual([true]);
});

test("it adds a passkey and signs in with it", async () => {
  const { auth } = noted(server.url, () => token);
  const authenticator = atDashboard();
  const created = (await auth.addPasskeyOptions()) as unknown;
  const credential = authenticator.create(created as PublicKeyCredentialCreationOptionsJSON);
  const { id } = await auth.addPasskey({ credential, name: "Key" });
  expect(await auth.renamePasskey(id, { name: "Small key" })).toMatchObject({ name: "Small key" });
  const asked = (await auth.passkeyOptions()) as unknown;
  const proof = authenticator.get(asked as PublicKeyCredentialRequestOptionsJSON);
  signedIn(await auth.signInWithPasskey({ credential: proof }));
  expect((await auth.passkeys()).data).toMatchObject([{ id, name: "Small key" }]);
  await auth.deletePasskey(id);
});

test("the client names the site of mails and passkey ceremonies", async () => {
  const { auth } = noted(server.url, () => token);
  await auth.sendMagicLink({ email, site: "desk" });
  expect(newestMail(server, email, "sign-in-link").link).toMatch(/^https:\/\/desk\.example\.com\//);
  await auth.forgotPassword({ email, site: "default" });
  expect(newestMail(server, email, "reset-link").link?.startsWith(`${origin}/`)).toBe(true);
  expect((await auth.addPasskeyOptions({ site: "desk" })).rp.id).toBe("desk.example.com");
  expect((await auth.passkeyOptions({ site: "desk", timeout: 9000 })).rpId).toBe(
    "desk.example.com",
  );
  expect((await auth.passkeyOptions({ timeout: 9000 })).rpId).toBe(new URL(origin).hostname);
  await expect(auth.passkeyOptions({ site: "other" })).rejects.toMatchObject({
    status: 422,
    issues: [{ path: "site", message: "Must be one of default, desk" }],
  });
});

test("it enables a second step, signs in with it, and disables it", async () => {
  const { auth } = noted(server.url, () => token);
  const password = "a third password";
  server.clock.moveOn(60);
  const setUp = await auth.enableTwoFactor({ password });
  const secret = "secret" in setUp ? setUp.secret : "";
  const confirmed = await auth.confirmTwoFactor({ code: totp(server, secret) });
  expect(confirmed.backupCodes).toHaveLength(10);
  expect((await auth.renewBackupCodes({ password })).backupCodes).toHaveLength(10);
  await auth.enableTwoFactor({ password, method: "email" });
  await auth.confirmTwoFactor({ code: mailedCode(server, email) });
  const first = await auth.signIn({ email, password });
  if (!("twoFactor" in first)) throw new Error("there is no second step");
  const { challenge } = first;
  await auth.sendTwoFactorCode({ challenge });
  const code = mailedCode(server, email);
  token = signedIn(await auth.verifyTwoFactor({ challenge, method: "email", code }));
  await auth.disableTwoFactor({ password });
  await auth.signOut();
  await expect(auth.me()).rejects.toMatchObject({ status: 401 });
});

test("it changes the address, and deletes the account", async () => {
  const { auth } = noted(server.url, () => token);
  const password = "a third password";
  server.clock.moveOn(60);
  token = signedIn(await auth.signIn({ email, password }));
  const address = "ada.l@example.com";
  await auth.changeEmail({ email: address, password });
  await auth.verifyEmailChange({ code: newestMail(server, address, "email-change").code });
  expect((await auth.me()).user).toMatchObject({ email: address, emailVerified: true });
  expect((await auth.config()).deleteOwnAccount).toBe(true);
  await expect(auth.deleteMe({ password: "a wrong one" })).rejects.toMatchObject({ status: 422 });
  await auth.deleteMe({ password });
  await expect(auth.me()).rejects.toMatchObject({ status: 401 });
});

test("operators manage accounts with it, and every caller lists the sign-in methods", async () => {
  const { auth, service } = noted(shop.app.url, () => shop.app.token);
  const picture = resolve(import.meta.dirname, "../../fixtures/pictures/everything.png");
  const file = await auth.uploadAvatar(readFileSync(picture), { name: "me.png" });
  expect((await auth.me()).user.avatarFile).toEqual(file);
  expect(await service.ping()).toHaveProperty("app");
  const { data } = await service.resources();
  expect(data.find(({ name }) => name === "products")?.can.create).toBe(true);
  expect((await service.profiles()).data.map(({ name }) => name)).toContain("product");

  const invited = await service.inviteAccount({ name: "Grace", email: "grace@example.com" });
  expect((await service.updateAccount(invited.id, { role: "editor" })).role).toBe("editor");
  const found = await service.accounts({ q: "grace", filter: { role: "editor", disabled: false } });
  expect(found.data.map(({ id }) => id)).toEqual([invited.id]);
  expect(await service.account(invited.id)).toMatchObject({ name: "Grace", sessions: [] });
  const view = await service.viewAccount(invited.id, { reason: "Ticket 4711" });
  const seen = await noted(shop.app.url, () => view.token).auth.me();
  expect(seen).toMatchObject({ user: { name: "Grace" }, viewer: { name: expect.any(String) } });
  await service.resetAccountPassword(invited.id);
  await service.endAccountSessions(invited.id);
  await service.disableAccountTwoFactor(invited.id);
  await service.deleteAccount(invited.id);
  const events = await service.accountEvents({ filter: { accountId: invited.id }, perPage: 1 });
  expect(events.data[0]).toMatchObject({ kind: "account-deleted", account: { email: null } });
  expect(events.meta.next).not.toBeNull();
});

test("it makes and revokes service tokens, names views, and checks the server's health", async () => {
  const { auth, service } = noted(shop.app.url, () => shop.app.token);
  const made = await auth.createServiceToken({ name: "Export", days: null });
  expect(made).toMatchObject({ name: "Export", expiresAt: null, token: expect.any(String) });
  expect((await auth.serviceTokens()).data).toMatchObject([{ id: made.id }]);
  await auth.deleteServiceToken(made.id);
  const { id } = await auth.createServiceToken({ name: "Backup" });
  expect((await service.accountTokens()).data).toMatchObject([{ id, account: {} }]);
  await service.deleteAccountToken(id);

  const view = await service.createView({ resource: "products", name: "Live", query: "" });
  expect(await service.updateView(view.id, { name: "Now" })).toEqual({ ...view, name: "Now" });
  const views = await service.views({ resource: "products" });
  expect(views.data.map(({ name }) => name)).toEqual(["Now"]);
  await service.deleteView(view.id);
  expect((await service.status()).tables.map(({ resource }) => resource)).toContain("products");
});

test("it connects an app and disconnects it", async () => {
  const connie = await server.account("connie");
  const { auth } = noted(server.url, () => own);
  let own: string | null = null;
  own = signedIn(await auth.signIn({ email: connie, password: rightPassword }));
  const id = site.publish("/client.json", {});
  const { verifier, challenge } = newVerifier();
  const query = queryOf(id, challenge);
  expect(await auth.authorizeApp({ query })).toMatchObject({ client: { id, host: site.host } });
  const { redirectTo = "" } = await auth.authorizeApp({ query, allow: true, scope: "read" });
  await sendForm(server.url, "/oauth/token", {
    grant_type: "authorization_code",
    code: new URL(redirectTo).searchParams.get("code") ?? "",
    redirect_uri: callback,
    client_id: id,
    code_verifier: verifier,
  });
  const { data } = await auth.apps();
  expect(data).toMatchObject([{ client: id, scope: "read" }]);
  await auth.disconnectApp(data[0]?.id ?? "");
  expect((await auth.apps()).data).toEqual([]);
});

test("these tests called every method", () => {
  const all = [...Object.values(authMethods), ...Object.values(serviceMethods)];
  expect([...answered].toSorted()).toEqual(all.toSorted());
});
