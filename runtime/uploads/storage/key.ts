/** `<resource>/<field>/<year>/<month>/<uuid>-<filename>`; nothing in it leaves the folder. */
const storageKey =
  /^[a-z0-9-]+\/[A-Za-z0-9]+\/\d{4}\/\d\d\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[A-Za-z0-9._-]+$/;

/** The limits of Linux and S3: bytes of a file's name, and of a whole key. */
const maxNameBytes = 255;
const maxKeyBytes = 1024;

/** Whether a text has the form of a storage key. */
export function isKey(text: string): boolean {
  const fileName = text.slice(text.lastIndexOf("/") + 1);
  return storageKey.test(text) && fileName.length <= maxNameBytes && text.length <= maxKeyBytes;
}

/**
 * Throws a `TypeError` for a text that is not a storage key: every key is made by the server, or looked up
 * before, so another form is a bug.
 */
export function assertKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(`not a storage key: ${JSON.stringify(key.slice(0, maxKeyBytes))}`);
}
