import type { Readable } from "node:stream";
import type { AppMessage } from "../mail/index.js";

/**
 * Mail: `app.mail`, `context.mail`.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   hooks: {
 *     tasks: {
 *       beforeCreate: async ({ title }, { mail }) => {
 *         await mail.send({ to: "team@example.com", subject: "A new task", text: title });
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface AppMail {
  /**
   * Stores an email, which is sent in the background after the transaction commits. Throws if the email is invalid, or
   * if the app has no mail server.
   */
  send(mail: AppMessage): Promise<void>;
}

/**
 * Stored files: `app.files`, `context.files`.
 *
 * @example
 * ```ts
 * import { Router } from "express";
 * import { createApp } from "./generated/app.js";
 *
 * const routes = Router();
 * const app = await createApp({ routes });
 *
 * routes.get("/copies/:key", async (request, response) => {
 *   const file = await app.files.read(request.params.key);
 *   if (file === null) return void response.sendStatus(404);
 *   file.stream.pipe(response.type(file.type));
 * });
 * await app.listen();
 * ```
 */
export interface AppFiles {
  /**
   * Stores a file for a field and resolves with its key, the value for that field. Throws a `Refusal` if the API would
   * refuse the upload. A file that no record references is deleted after a day.
   */
  store(content: FileContent, target: FileTarget): Promise<string>;
  /** Opens the file with this key; resolves with null if there is none. Read its stream to the end, or destroy it. */
  read(key: string): Promise<ReadFile | null>;
}

/** The content of a file, as a buffer or a stream. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/** The field for which a file is stored. */
export interface FileTarget {
  /** The resource's name, as in its path (`order-items`) or in `app.resources` (`orderItems`). */
  readonly resource: string;
  readonly field: string;
  /** The file's name, as in an upload. */
  readonly name: string;
}

/** A stored file. */
export interface ReadFile {
  readonly name: string;
  /** The media type. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  readonly stream: Readable;
}
