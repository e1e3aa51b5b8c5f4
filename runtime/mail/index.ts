export { type Mailer, type MailerOptions, openMailer } from "./mailer.js";
export type { Message } from "./message.js";
export type { MailLog } from "./queue.js";
export { tryTransport } from "./smtp.js";
