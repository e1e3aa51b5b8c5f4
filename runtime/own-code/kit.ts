import type { Readable } from "node:stream";
import type { OwnMail } from "../mail/index.js";

/** Mails of the app's own code: `app.mail`, `context.mail`. */
export interface AppMail {
  /**
   * Stores a mail, which is sent in the background once the transaction is committed. Throws where there is no mail
   * server and where the mail does not fit.
   */
  send(mail: OwnMail): Promise<void>;
}

/** Files of the app's own code: `app.files`, `context.files`. */
export interface AppFiles {
  /**
   * Stores a file for a field and resolves with its key, a value for that field. Throws a `Refusal` where an upload
   * would be refused. A file that no record uses is deleted after a day.
   */
  store(content: FileContent, target: FileTarget): Promise<string>;
  /** The file of that key; null where there is none. Its stream has to be read to its end or destroyed. */
  read(key: string): Promise<ReadFile | null>;
}

/** The bytes of a file, or a stream of them. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/** What a file is stored for. */
export interface FileTarget {
  /** As in its path, `order-items`, or among `app.resources`, `orderItems`. */
  readonly resource: string;
  readonly field: string;
  /** The file's name, as an upload has it. */
  readonly name: string;
}

/** A stored file. */
export interface ReadFile {
  readonly name: string;
  /** The media type. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly stream: Readable;
}
