/** Where the app is, as it has to be written in the folder that the command was started in. */
let appFolder: string | null = null;

/** Remembers the folder that `-C` named, as it was typed; null where the command is in the app's folder. */
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

/** A word as it can be pasted into a POSIX shell; one that begins with a dash is taken for a path. */
export function shellWord(text: string): string {
  const plain = text.startsWith("-") ? `./${text}` : text;
  return /^[\w./@%+=:,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
