export { type KeptMail, keepingMailer, keptMails } from "./kept.js";
export type { MailLog } from "./log.js";
export { type Mailer, type MailerOptions, openMailer } from "./mailer.js";
export { isNotice, type Message, type NoticeKind } from "./message.js";
export type { OwnMail } from "./own/mail.js";
export type { MailPriority } from "./queues.js";
export { tryTransport } from "./smtp.js";
