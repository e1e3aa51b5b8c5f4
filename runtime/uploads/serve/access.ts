import { Refusal, refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import { privateCacheControl, publicCacheControl } from "../objects/headers.js";
import type { UploadServices } from "../objects/services.js";
import { soundUntil } from "../sign/signature.js";
import type { ServedObject } from "./store.js";

/** How long and by which caches a file may be cached. */
export interface FileAccess {
  readonly cacheControl: string;
  /** Seconds until the access expires; null for a public file. */
  readonly seconds: number | null;
}

/**
 * Refuses with 404 a caller who may not download the object. Private files need a valid signed URL, or the token of a
 * caller to whom a record shows the file. A file that no record uses needs the token of its uploader.
 */
export async function fileAccess(
  context: Context,
  services: UploadServices,
  object: ServedObject,
): Promise<FileAccess> {
  if (!services.privateFiles.isPrivate(object)) {
    return { cacheControl: publicCacheControl, seconds: null };
  }
  const { config, clock } = services;
  const now = clock.now();
  const until = soundUntil(config, { key: object.key, query: context.query }, now);
  if (until !== null) {
    const seconds = Math.floor(until - now.getTime() / 1000);
    return { cacheControl: `private, max-age=${seconds}`, seconds };
  }
  const caller = await callerOf(context, services);
  if (caller === null || !(await mayFetch({ ...context, caller }, services, object))) {
    return refuse("NOT_FOUND");
  }
  return { cacheControl: privateCacheControl, seconds: config.uploads.privateSeconds };
}

/** The caller; null without a valid token, so that the response is the same 404 as for a missing file. */
async function callerOf(
  context: Context,
  { privateFiles }: UploadServices,
): Promise<Caller | null> {
  try {
    return await privateFiles.identify(context);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

async function mayFetch(
  context: Context & { readonly caller: Caller },
  { privateFiles }: UploadServices,
  { file, resource, field, uploader }: ServedObject,
): Promise<boolean> {
  const use = await privateFiles.useOf(context, { resource, field, key: file.key });
  return use === "shown" || (use === "unused" && uploader === context.caller.accountId);
}
