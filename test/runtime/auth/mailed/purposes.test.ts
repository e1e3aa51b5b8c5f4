import { afterAll, beforeAll, expect, test } from "vitest";
import { client } from "../../../support/http/client.js";
import { codes, type MailedServer, mailedProofs, startMailed } from "../support/mailed-proofs.js";
import { addUntilPruned } from "../support/pruning.js";

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

test("a code or link for one purpose or address does not work for another", async () => {
  const [email, other] = [await mail.newAddress(), await mail.newAddress()];
  const secrets: string[] = [];
  for (const way of mailedProofs) {
    // The verification's code and link come in one email.
    secrets.push(
      way.name === "verification link"
        ? way.secret(mail.server, email)
        : await mail.mailed(way, email),
    );
    if (way.name !== "verification link") await mail.mailed(way, other);
  }
  for (const way of mailedProofs) {
    for (const [at, secret] of secrets.entries()) {
      if (mailedProofs[at] === way) continue;
      const refused = way.dead === "OTP_EXPIRED" ? "INVALID_OTP" : "INVALID_TOKEN";
      expect(
        await mail.outcome(way, email, secret),
        `${mailedProofs[at]?.name} as ${way.name}`,
      ).toBe(refused);
    }
  }
  for (const way of codes) {
    const code = secrets[mailedProofs.indexOf(way)] ?? "";
    if (code === way.secret(mail.server, other)) continue;
    expect(await mail.outcome(way, other, code), way.name).toBe("INVALID_OTP");
  }
  for (const [at, way] of mailedProofs.entries()) {
    const token = secrets[at] ?? "";
    const signedIn = await client(mail.server.url, token).get<object>("/auth/me");
    expect(signedIn.status, `${way.name} as a bearer token`).toBe(401);
    const challenge = { challenge: token, method: "email", code: token };
    expect((await mail.anonymous.post("/auth/two-factor/verify", challenge)).status).not.toBe(201);
  }
});

test("codes and tokens are stored as digests only", async () => {
  const email = await mail.newAddress();
  const secrets: string[] = [];
  for (const way of mailedProofs) {
    secrets.push(
      way.name === "verification link"
        ? way.secret(mail.server, email)
        : await mail.mailed(way, email),
    );
  }
  const rows = await mail.server.services.db.query<{ whole: string }>(
    `select m::text as whole from service.mailed_proofs m where email = $1`,
    [email],
  );
  expect(rows).toHaveLength(4);
  const digests = rows.map(({ whole }) => whole.replace(/\d{4}-\d\d-\d\d [^"]+/g, "")).join();
  for (const secret of secrets) {
    expect(digests).not.toContain(
      secret.length === 6 ? Buffer.from(secret).toString("hex") : secret,
    );
    expect(digests).not.toContain(Buffer.from(secret).toString("hex"));
  }
});

test("expired proofs are deleted as new ones are added", async () => {
  const { db } = mail.server.services;
  await db.query("delete from service.mailed_proofs");
  const ask = (email: string) => mail.anonymous.post("/auth/email-code", { email });
  for (let count = 0; count < 12; count += 1) await ask(`nobody-${count}@example.com`);
  await db.query("update service.mailed_proofs set expires_at = now() - interval '1 second'");
  const old = () => db.query("select from service.mailed_proofs where email like 'nobody-%'");
  const added = await addUntilPruned(old, (at) => ask(`somebody-${at}@example.com`));
  expect(await db.query("select from service.mailed_proofs")).toHaveLength(added);
});
