/** `<resource>/<field>/<year>/<month>/<uuid>-<filename>`; nothing in it leads out of a folder. */
const storageKey =
  /^[a-z0-9-]+\/[A-Za-z0-9]+\/\d{4}\/\d\d\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[A-Za-z0-9._-]+$/;

/** Linux's and S3's: bytes of a file's name, and of a whole key. */
const maxNameBytes = 255;
const maxKeyBytes = 1024;

/** Whether a text has the form of a storage key. What has another is no file's. */
export function isKey(text: string): boolean {
  const fileName = text.slice(text.lastIndexOf("/") + 1);
  return storageKey.test(text) && fileName.length <= maxNameBytes && text.length <= maxKeyBytes;
}

/**
 * Every key is made by the server, or looked up before it comes here. One of another form is a bug, and
 * throws a `TypeError`.
 */
export function assertKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(`not a storage key: ${JSON.stringify(key.slice(0, maxKeyBytes))}`);
}
