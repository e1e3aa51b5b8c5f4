import { randomInt } from "node:crypto";
import { v7 } from "uuid";
import type { Queryable } from "../db/index.js";
import { open, type Secrets, seal } from "../secret/index.js";
import type { ClaimedMail } from "./claim.js";
import { type Message, minutesOf, supersedes } from "./message.js";
import { queueOf } from "./queues.js";
import { insertMail, type NewMail, nobodys } from "./store.js";

/**
 * Milliseconds before a mail is first tried, at random below this. Composing and sending cost time.
 * Without it the next request would be the slower one whenever this one's address has an account, and
 * who measures both would learn that.
 */
export const headStart = 200;

/** Stores a mail, sealed, in the caller's transaction; false where too many of its queue wait. */
export function storeMail(tx: Queryable, secrets: Secrets, message: Message): Promise<boolean> {
  const { to, kind } = message;
  return store(tx, secrets, {
    email: to,
    kind,
    queue: queueOf[kind],
    message,
    supersedes: supersedes(message),
    minutes: minutesOf(message),
  });
}

/** A mail that nobody gets, in the place of one of that kind. */
export type NobodysMail = Pick<Message, "to" | "kind">;

/** The same work for a mail that nobody gets; what is stored looks alike, and goes when it is due. */
export function storeNobodysMail(
  tx: Queryable,
  secrets: Secrets,
  { to, kind }: NobodysMail,
): Promise<boolean> {
  return store(tx, secrets, {
    email: to,
    kind: nobodys,
    queue: queueOf[kind],
    message: null,
    supersedes: true,
    minutes: 5,
  });
}

/** What is in a mail. Throws where neither secret opens it. */
export function openMail(secrets: Secrets, { id, sealed }: ClaimedMail): Message {
  // We have sealed it ourselves: nobody else can.
  return JSON.parse(open(secrets, sealed, placeOf(id)).plain.toString()) as Message;
}

interface Stored extends Pick<NewMail, "email" | "kind" | "queue" | "supersedes" | "minutes"> {
  readonly message: Message | null;
}

function store(tx: Queryable, secrets: Secrets, mail: Stored): Promise<boolean> {
  const id = v7();
  const { message, ...rest } = mail;
  const sealed = seal(secrets, Buffer.from(JSON.stringify(message)), placeOf(id));
  return insertMail(tx, { ...rest, id, sealed, headStart: randomInt(headStart + 1) });
}

function placeOf(id: string): string {
  return `mail:${id}`;
}
