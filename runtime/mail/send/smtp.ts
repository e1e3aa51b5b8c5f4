import type { SendMailOptions } from "nodemailer";
import { later } from "../../loading/index.js";
import type { ComposedMail } from "../letter/compose.js";
import { maxConcurrent } from "./delivery.js";
import { failureOf } from "./failure.js";
import { senderOf } from "./sender.js";

const loadNodemailer = later(() => import("nodemailer"));

/** Delivers emails to a mail server, in one attempt each. */
export interface Transport {
  /** Adds addresses to a composed email; `id` is used for its `Message-ID`. */
  address(to: string | readonly string[], composed: AnsweredMail, id: string): SendMailOptions;
  /**
   * Delivers an email; resolves with recipients that the server refused while it accepted the email for others. Throws
   * nodemailer's error if the server is unreachable or refuses the email.
   */
  deliver(mail: SendMailOptions): Promise<readonly RefusedRecipient[]>;
  /** Aborts deliveries in progress. */
  cut(): void;
  close(): void;
}

export interface AnsweredMail extends ComposedMail {
  /** The address for replies; by default the sender's. */
  readonly replyTo?: string | null;
}

export interface RefusedRecipient {
  readonly address: string;
  /** False if a later attempt may succeed. */
  readonly isFinal: boolean;
}

/** The timeout of the connection, of the greeting, and between responses, in milliseconds. */
const defaultSilenceMs = 10_000;

/**
 * The timeout of one attempt in milliseconds: a server that responds byte by byte must not occupy a connection for
 * long.
 */
const maxDeliveryMs = 60_000;

function limits(ms: number) {
  return { dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
}

/** A mail server, and the sender of its emails. */
export interface MailServer {
  readonly from: string;
  /** `smtp://` or `smtps://` with user and password; the query string holds nodemailer's options. */
  readonly url: string;
  /** The timeout of silence in milliseconds. */
  readonly silence?: number;
}

/**
 * Opens a transport. Nodemailer is loaded for the first email; connections are opened on demand and reused. Without
 * implicit TLS, STARTTLS is used if the server offers it, and the certificate is verified.
 */
export function openTransport({ from, url, silence = defaultSilenceMs }: MailServer): Transport {
  const sender = senderOf(from);
  let opened: ReturnType<typeof openPool> | null = null;
  const close = (options?: { readonly force: boolean }) => {
    // Waits for the pool, so that emails passed earlier reach it first.
    opened?.then(
      (pool) => pool.close(options),
      () => {},
    );
  };
  return {
    address: (to, { replyTo = null, ...composed }, id) => ({
      ...composed,
      ...(replyTo !== null && { replyTo: { name: "", address: replyTo } }),
      from: { name: sender.name, address: sender.address },
      to: recipients(to),
      // Addresses passed as objects are not parsed, so none can become a list.
      envelope: {
        from: { name: "", address: sender.address },
        to: recipients(to),
      },
      messageId: `<${id}@${sender.domain}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      xMailer: false,
    }),
    async deliver(mail) {
      opened ??= openPool(url, silence).catch((error: unknown) => {
        opened = null;
        throw error;
      });
      const pool = await opened;
      const { rejectedErrors = [] } = await pool.sendMail({
        ...mail,
        signal: AbortSignal.timeout(maxDeliveryMs),
      });
      return rejectedErrors.map(({ recipient = "", responseCode = 0 }) => ({
        address: recipient,
        isFinal: responseCode >= 500,
      }));
    },
    cut: () => close({ force: true }),
    close,
  };
}

async function openPool(url: string, silence: number) {
  const { createTransport } = await loadNodemailer();
  return createTransport({
    url,
    pool: true,
    ...limits(silence),
    maxConnections: maxConcurrent,
    // One, for a connection that the server closed in the meantime; the queue handles later retries.
    maxRequeues: 1,
    // Emails consist of text and must never fetch anything.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function recipients(to: string | readonly string[]) {
  return [to].flat().map((address) => ({ name: "", address }));
}

/**
 * Authenticates with the server without sending anything. Returns null on success, otherwise the reason of the failure.
 */
export async function tryTransport(url: string): Promise<string | null> {
  const { createTransport } = await loadNodemailer();
  const transporter = createTransport({ url, ...limits(defaultSilenceMs) });
  try {
    await transporter.verify();
    return null;
  } catch (error) {
    return failureOf(error).reason;
  } finally {
    transporter.close();
  }
}
