import { createTransport, type SendMailOptions } from "nodemailer";
import type { Letter } from "./compose.js";
import { atOnce } from "./delivery.js";
import { failureOf } from "./failure.js";
import { senderOf } from "./sender.js";

/** A mail server that takes mails, one try at a time. */
export interface Transport {
  /** The letter as a mail to that one address; with the same id it is the same mail. */
  address(to: string, letter: Letter, id: string): SendMailOptions;
  /** Throws nodemailer's error where the server cannot be reached or refuses. */
  deliver(mail: SendMailOptions): Promise<void>;
  /** Ends what is being delivered. */
  cut(): void;
  close(): void;
}

/** Milliseconds to be reached, to be greeted, and to hear anything. */
const usualSilence = 10_000;

/** Milliseconds for one try, so that a server that drips its answers holds nothing up for long. */
const patience = 60_000;

function limits(ms: number) {
  return { dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
}

/** A mail server, and in whose name mail is handed to it. */
export interface MailServerPlace {
  readonly from: string;
  /** `smtp://` or `smtps://`, user and password in it, nodemailer's options as its query. */
  readonly url: string;
  /** Milliseconds. */
  readonly silence?: number;
}

/**
 * Connections are opened when they are needed, and stay for the next mails. Without TLS from the start
 * it is taken where the server offers it; the certificate is checked.
 */
export function openTransport({ from, url, silence = usualSilence }: MailServerPlace): Transport {
  const sender = senderOf(from);
  const transporter = createTransport({
    url,
    pool: true,
    ...limits(silence),
    maxConnections: atOnce,
    // One for a connection that the server had closed meanwhile; the queue tries again later.
    maxRequeues: 1,
    // A mail is made of texts, and nothing in it is ever to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    address: (to, letter, id) => ({
      ...letter,
      from: { name: sender.name, address: sender.address },
      to: { name: "", address: to },
      // Addresses that are given as such are not parsed, so that none can turn out to be a list.
      envelope: { from: { name: "", address: sender.address }, to: [{ name: "", address: to }] },
      messageId: `<${id}@${sender.domain}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      xMailer: false,
    }),
    async deliver(mail) {
      await transporter.sendMail({ ...mail, signal: AbortSignal.timeout(patience) });
    },
    cut: () => transporter.close({ force: true }),
    close: () => transporter.close(),
  };
}

/** Signs in to the server without sending anything; null when it would take mail, else what is wrong. */
export async function tryTransport(url: string): Promise<string | null> {
  const transporter = createTransport({ url, ...limits(usualSilence) });
  try {
    await transporter.verify();
    return null;
  } catch (error) {
    return failureOf(error).reason;
  } finally {
    transporter.close();
  }
}
