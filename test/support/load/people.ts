import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./ask.js";
import { insist, type Ledger, type Load } from "./ledger.js";

/** Signs in, reads its account, signs out, and checks whether any server still accepts the token. */
export async function signInAndOut(
  load: Load,
  emails: readonly string[],
  pauseMs: number,
): Promise<void> {
  const { ledger } = load;
  while (!load.isOver()) {
    const email = nextOf(emails, ledger);
    const token = await signIn(load, email, ledger.passwords.get(email) ?? "");
    const me = await insist(load, { method: "GET", path: "/auth/me", token }, [200]);
    if (me.body?.user?.email !== email) ledger.wrong.push(`${email} was told to be another one`);
    // Repeated because its answer was lost, it is 401: the first one did it.
    await insist(load, { method: "DELETE", path: "/auth/token", token }, [204, 401]);
    ledger.revoked.push(token);
    await expectRevoked(load, token);
    await sleep(pauseMs);
  }
}

function nextOf(emails: readonly string[], { turns }: Ledger): string {
  const turn = (turns.get(emails) ?? 0) + 1;
  turns.set(emails, turn);
  return emails[turn % emails.length] ?? "";
}

async function signIn(load: Load, email: string, password: string): Promise<string> {
  const body = { email, password };
  const made = await insist(load, { method: "POST", path: "/auth/token", body }, [201]);
  return String(made.body?.token);
}

/** Every server refuses the token, or does not answer; none accepts it. */
export async function expectRevoked({ servers, ledger }: Load, token: string): Promise<void> {
  const question = { method: "GET", path: "/auth/me", token };
  const outcomes = await Promise.all(servers.map((server) => ask(server, question)));
  for (const { status } of outcomes) {
    if (![0, 401, 503].includes(status)) ledger.wrong.push(`a revoked token got ${status}`);
  }
}

/** Changes passwords; then the old one is refused, and so is the token of another device. */
export async function changePasswords(
  load: Load,
  emails: readonly string[],
  pauseMs: number,
): Promise<void> {
  const { ledger } = load;
  while (!load.isOver()) {
    const email = nextOf(emails, ledger);
    const currentPassword = ledger.passwords.get(email) ?? "";
    const newPassword = randomUUID();
    const token = await signIn(load, email, currentPassword);
    const other = await signIn(load, email, currentPassword);
    const body = { currentPassword, newPassword };
    // Repeated because its answer was lost, it is 422: the current password is the new one already.
    const path = "/auth/password";
    await insist(load, { method: "POST", path, token, body }, [204, 422]);
    ledger.passwords.set(email, newPassword);
    await expectRevoked(load, other);
    ledger.revoked.push(other);
    const old = { email, password: currentPassword };
    await insist(load, { method: "POST", path: "/auth/token", body: old }, [401]);
    ledger.revoked.push(await signOut(load, await signIn(load, email, newPassword)));
    await sleep(pauseMs);
  }
}

async function signOut(load: Load, token: string): Promise<string> {
  await insist(load, { method: "DELETE", path: "/auth/token", token }, [204, 401]);
  return token;
}
