import { randomInt } from "node:crypto";
import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import { decrypt, encrypt, type Secrets } from "../../secret/index.js";
import type { StoredAppMessage } from "../letter/app-message.js";
import { lifetimeMinutes, type Message, supersedes } from "../letter/message.js";
import type { ClaimedMail } from "./claim.js";
import { type MailPriority, queueOf } from "./queues.js";
import { decoyKind, insertMail, type NewMail } from "./store.js";

/**
 * The maximum random delay before the first attempt, in milliseconds. Without it, composing and sending an email would
 * measurably slow down the next request and reveal that the address has an account.
 */
export const maxDelayMs = 200;

/** Stores an email, encrypted, in the caller's transaction; returns false if its queue is full. */
export function storeMail(
  tx: Queryable,
  secrets: Secrets,
  { message, priority }: { readonly message: Message; readonly priority: MailPriority },
): Promise<boolean> {
  const { to, kind } = message;
  return store(tx, secrets, {
    email: to,
    kind,
    queue: queueOf[kind],
    priority,
    message,
    supersedes: supersedes(message),
    minutes: lifetimeMinutes(message),
  });
}

/** Stored in place of an email of the same kind, and never sent. */
export type Decoy = Pick<Message, "to" | "kind">;

/** Stores a decoy with the same work as an email. It looks like one, and is deleted once it is due. */
export function storeDecoy(tx: Queryable, secrets: Secrets, { to, kind }: Decoy): Promise<boolean> {
  return store(tx, secrets, {
    email: to,
    kind: decoyKind,
    queue: queueOf[kind],
    priority: "normal",
    message: null,
    supersedes: true,
    minutes: 5,
  });
}

/** Decrypts an email. Throws if neither secret decrypts it. */
export function decryptMail(
  secrets: Secrets,
  { id, encrypted }: Pick<ClaimedMail, "id" | "encrypted">,
): Message | StoredAppMessage {
  const { plain } = decrypt(secrets, encrypted, mailContext(id));
  // Only this server can have encrypted it.
  return JSON.parse(plain.toString()) as Message | StoredAppMessage;
}

interface Stored
  extends Pick<NewMail, "email" | "kind" | "queue" | "priority" | "supersedes" | "minutes"> {
  readonly message: Message | null;
}

function store(tx: Queryable, secrets: Secrets, mail: Stored): Promise<boolean> {
  const id = v7();
  const { message, ...rest } = mail;
  const encrypted = encrypt(secrets, Buffer.from(JSON.stringify(message)), mailContext(id));
  return insertMail(tx, { ...rest, id, encrypted, delayMs: randomInt(maxDelayMs + 1) });
}

/** The encryption context of an email: its ciphertext cannot be decrypted under another id. */
export function mailContext(id: string): string {
  return `mail:${id}`;
}
