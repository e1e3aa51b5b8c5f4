import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { selfSigned } from "../http/certificate.js";

/** An email as it came over the wire. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and parts. */
  readonly raw: string;
  /** The signed-in user; null without sign-in. */
  readonly user: string | null;
  readonly secure: boolean;
}

/** A real mail server, which keeps its emails. */
export interface MailServer {
  /** `smtp://…` or `smtps://…`, without user or options. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Number of complete emails received, refused ones included. */
  readonly tries: number;
  /** Waits until it has this number of emails. */
  has(count: number): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** TLS from the start, or by STARTTLS, with a certificate of no public authority. */
  readonly tls?: { readonly certificate: Certificate; readonly from: "start" | "offer" };
  /** Accepts emails from this user only. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Its answer to a complete email, such as `550 5.7.1 Spam`; null accepts it. `tries` counts from 1. */
  readonly answer?: (tries: number, raw: string) => string | null;
  /** Its answer to a recipient; null accepts it. */
  readonly recipient?: (address: string) => string | null;
  /** Milliseconds after which it closes an idle connection. */
  readonly idle?: number;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, user, answer = () => null, recipient = () => null, idle = 60_000 } = options;
  const mails: ReceivedMail[] = [];
  let tries = 0;
  const server = new SMTPServer({
    ...tlsOptions(tls),
    ...(user === undefined ? { disabledCommands: ["AUTH"] } : { allowInsecureAuth: true }),
    ...(tls === undefined || tls.from === "start"
      ? { disabledCommands: user === undefined ? ["AUTH", "STARTTLS"] : ["STARTTLS"] }
      : {}),
    authOptional: user === undefined,
    closeTimeout: 100,
    socketTimeout: idle,
    onAuth({ username, password }, _session, done) {
      const isRight = username === user?.name && password === user?.password;
      done(isRight ? null : refusal("535 5.7.8 That is wrong"), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      const refused = recipient(address);
      done(refused === null ? null : refusal(refused));
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const raw = Buffer.concat(chunks).toString();
      tries += 1;
      const refused = answer(tries, raw);
      if (refused !== null) {
        done(refusal(refused));
        return;
      }
      const { mailFrom, rcptTo } = session.envelope;
      mails.push({
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
        user: typeof session.user === "string" ? session.user : null,
        secure: session.secure,
      });
      done();
    },
  });
  // Clients that do not trust the certificate, or are cut off.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${tls?.from === "start" ? "smtps" : "smtp"}://127.0.0.1:${port}`,
    mails,
    get tries() {
      return tries;
    },
    async has(count) {
      for (let looks = 0; mails.length < count && looks < 500; looks += 1) await sleep(20);
      if (mails.length < count) throw new Error(`${mails.length} mails came, not ${count}`);
      return mails;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function tlsOptions(tls: MailServerOptions["tls"]): SMTPServerOptions {
  if (tls === undefined) return { secure: false };
  const { key, cert } = tls.certificate;
  return { secure: tls.from === "start", key, cert };
}

/** An answer of the server, its code first. */
function refusal(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

/** Accepts connections and never answers. */
export async function startSilentServer(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed one for 127.0.0.1. */
export async function newCertificate(): Promise<Certificate> {
  const { privateKey, certificate } = await selfSigned("CN=127.0.0.1", ["127.0.0.1"]);
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  return { key: key.toString(), cert: certificate.toString("pem") };
}
