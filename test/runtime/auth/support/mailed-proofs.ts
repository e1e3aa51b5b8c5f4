import { type Client, client, type Reply } from "../../../support/http/client.js";
import { newestMail, tokenIn } from "./mails.js";
import { forgetProof } from "./rows.js";
import { type AuthServer, startAuth } from "./server.js";

/** A kind of code or link that is mailed, and how it is used. */
export interface MailedProof {
  readonly name: string;
  readonly ask: string;
  readonly use: string;
  readonly minutes: number;
  /** The status of the answer to a right one. */
  readonly status: 201 | 204;
  /** The code with which an invalid one is refused. */
  readonly dead: "OTP_EXPIRED" | "INVALID_TOKEN";
  /** A table that using it writes to. */
  readonly writes: { readonly table: string; readonly event: "insert" | "update" };
  /** What was mailed last. */
  secret(server: AuthServer, email: string): string;
  body(email: string, secret: string): object;
}

const sessions = { table: "service.sessions", event: "insert" } as const;
const users = { table: "service.users", event: "update" } as const;
const codeBody = (email: string, code: string) => ({ email, code });
const linkBody = (_: string, token: string) => ({ token });

/** Comes in one email with the code. */
export const verificationLink: MailedProof = {
  name: "verification link",
  ask: "/auth/email/send",
  use: "/auth/email/verify",
  minutes: 60,
  status: 204,
  dead: "INVALID_TOKEN",
  writes: users,
  secret: (server, email) => tokenIn(newestMail(server, email, "verification").link),
  body: linkBody,
};

/** Ends everything else that was mailed. */
export const resetLink: MailedProof = {
  name: "reset link",
  ask: "/auth/password/forgot",
  use: "/auth/password/reset",
  minutes: 60,
  status: 204,
  dead: "INVALID_TOKEN",
  writes: users,
  secret: (server, email) => tokenIn(newestMail(server, email, "reset-link").link),
  body: (_, token) => ({ token, newPassword: "a new password" }),
};

export const mailedProofs: readonly MailedProof[] = [
  {
    name: "sign-in code",
    ask: "/auth/email-code",
    use: "/auth/email-code/verify",
    minutes: 5,
    status: 201,
    dead: "OTP_EXPIRED",
    writes: sessions,
    secret: (server, email) => newestMail(server, email, "sign-in-code").code,
    body: codeBody,
  },
  {
    name: "sign-in link",
    ask: "/auth/magic-link",
    use: "/auth/magic-link/verify",
    minutes: 5,
    status: 201,
    dead: "INVALID_TOKEN",
    writes: sessions,
    secret: (server, email) => tokenIn(newestMail(server, email, "sign-in-link").link),
    body: linkBody,
  },
  {
    name: "verification code",
    ask: "/auth/email/send",
    use: "/auth/email/verify",
    minutes: 60,
    status: 204,
    dead: "OTP_EXPIRED",
    writes: users,
    secret: (server, email) => newestMail(server, email, "verification").code,
    body: codeBody,
  },
  verificationLink,
  resetLink,
];

/** Judged for an address, five guesses each. */
export const codes = mailedProofs.filter(({ dead }) => dead === "OTP_EXPIRED");
/** Known by their token alone. */
export const links = mailedProofs.filter(({ dead }) => dead === "INVALID_TOKEN");

/** A server, and accounts on it that can use every way. */
export interface MailedServer {
  readonly server: AuthServer;
  readonly anonymous: Client;
  /** The unverified address of a new account. */
  newAddress(): Promise<string>;
  /** Asks and gives what was mailed. */
  mailed(way: MailedProof, email: string): Promise<string>;
  use(way: MailedProof, email: string, secret: string): Promise<Reply<{ code?: string }>>;
  /** The status, or the code of the refusal. */
  outcome(way: MailedProof, email: string, secret: string): Promise<number | string>;
}

/** Server errors are expected there, so nothing is logged. */
export async function startMailed(): Promise<MailedServer> {
  const server = await startAuth(undefined, { SERVICE_LOG_LEVEL: "silent" });
  const anonymous = client(server.url, null);
  let accounts = 0;
  return { server, anonymous, newAddress, mailed, use, outcome };

  async function newAddress(): Promise<string> {
    accounts += 1;
    const email = await server.account(`person-${accounts}`);
    await forgetProof(server, email);
    return email;
  }

  async function mailed(way: MailedProof, email: string): Promise<string> {
    const reply = await anonymous.post(way.ask, { email });
    if (reply.status !== 204) throw new Error(`${way.name}: ${reply.status} ${reply.text}`);
    return way.secret(server, email);
  }

  function use(way: MailedProof, email: string, secret: string): Promise<Reply<{ code?: string }>> {
    return anonymous.post(way.use, way.body(email, secret));
  }

  async function outcome(
    way: MailedProof,
    email: string,
    secret: string,
  ): Promise<number | string> {
    const { status, body } = await use(way, email, secret);
    return body?.code ?? status;
  }
}
