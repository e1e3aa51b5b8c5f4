import type { MailLog } from "../../../../runtime/mail/index.js";

export interface KeptLog extends MailLog {
  /** What was warned of: the message and its details. */
  readonly warnings: readonly object[];
  /** Everything, as one text. */
  text(): string;
}

export function keptLog(): KeptLog {
  const warnings: object[] = [];
  const all: object[] = [];
  return {
    warnings,
    text: () => JSON.stringify(all),
    debug: (details, message) => all.push({ message, ...details }),
    warn: (details, message) => {
      all.push({ message, ...details });
      warnings.push({ message, ...details });
    },
  };
}
