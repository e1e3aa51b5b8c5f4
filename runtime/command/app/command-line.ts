/** The path to the app from the folder in which the command was started, as the user must type it. */
let appFolder: string | null = null;

/** Stores the folder given with `-C`, as typed; null if the command runs in the app's folder. */
export function setAppFolder(folder: string | null): void {
  appFolder = folder;
}

/**
 * Adapts the commands in a message to the folder in which the user typed the current command. Messages are written for
 * the app's own folder; `init` names the folder of a new app itself.
 */
export function withAppFolder(message: string): string {
  if (appFolder === null) return message;
  const prefix = `npx service -C ${shellWord(appFolder)} `;
  return message.replace(/\bnpx service (?!init\b|-)/g, () => prefix);
}

/** Quotes a word for a POSIX shell; a word that begins with a dash is assumed to be a path. */
export function shellWord(text: string): string {
  const plain = text.startsWith("-") ? `./${text}` : text;
  return /^[\w./@%+=:,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
