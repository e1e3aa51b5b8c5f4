import { createRequire } from "node:module";
import { StorageError } from "./storage.js";

/** Apps with files in a bucket install these themselves: they bring 60 packages that no other app needs. */
const packages = [
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "@aws-sdk/s3-request-presigner",
] as const;

/** Refuses to use a bucket if the library is not installed, without loading it. */
export function requireLibrary(): void {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  throw new StorageError(
    `uploads.storage.driver is s3, but these packages are not installed: ${missing.join(", ")}`,
    {
      hint: `npm install ${missing.map((name) => `${name}@3`).join(" ")}`,
    },
  );
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
