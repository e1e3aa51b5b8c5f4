export { type KeptMail, keepingMailer, keptMails } from "./kept.js";
export type { AppMessage } from "./letter/app-message.js";
export { isNotice, type Message, type NoticeKind } from "./letter/message.js";
export { type Mailer, type MailerOptions, openMailer } from "./mailer.js";
export type { MailPriority } from "./queue/queues.js";
export type { MailLog } from "./send/log.js";
export { tryTransport } from "./send/smtp.js";
