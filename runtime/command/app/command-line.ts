/** The path of the app, as the user has to type it in the folder in which the command was started. */
let appFolder: string | null = null;

/** Remembers the folder that `-C` named, as it was typed; null when the command runs in the app's folder. */
export function setAppFolder(folder: string | null): void {
  appFolder = folder;
}

/**
 * A message whose commands can be pasted where this one was typed. All messages are written for the app's own
 * folder; `init` names the folder of a new app itself.
 */
export function withAppFolder(message: string): string {
  if (appFolder === null) return message;
  const prefix = `npx service -C ${shellWord(appFolder)} `;
  return message.replace(/\bnpx service (?!init\b|-)/g, () => prefix);
}

/** A word quoted for a POSIX shell; one that begins with a dash is assumed to be a path. */
export function shellWord(text: string): string {
  const plain = text.startsWith("-") ? `./${text}` : text;
  return /^[\w./@%+=:,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
