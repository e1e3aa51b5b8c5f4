export { type Mailer, type MailerOptions, type MailLog, openMailer } from "./mailer.js";
export type { Message } from "./message.js";
