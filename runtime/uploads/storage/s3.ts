import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { growingInBucket, usualPart } from "./growing/in-bucket.js";
import { assertPlace, privatePrefix } from "./key.js";
import { exposingAddress, tryObject } from "./s3-check.js";
import {
  type Bucket,
  type Connection,
  connectTo,
  type Patience,
  tracedBy,
  usualPatience,
} from "./s3-client.js";
import { isForbidden, isGone, nameOf, s3Failure } from "./s3-failure.js";
import { requireLibrary } from "./s3-library.js";
import { storeFrom } from "./source.js";
import { type ByteRange, type Storage, StorageError, type WholeObject } from "./storage.js";

export interface S3Options {
  /** Size of the largest file, in bytes. */
  readonly maxBytes: number;
  readonly patience?: Patience;
  /** Size of a part of a resumable upload, in bytes. */
  readonly resumablePart?: number;
}

/** S3's limits: minimum bytes of a part except the last and, below it, maximum number of parts of an object. */
const leastPart = 5 * 1024 * 1024;
const mostParts = 10_000;

/** Number of parts sent concurrently; one more is being filled. */
const partsAtOnce = 2;

/**
 * Stores objects in a bucket by key. Objects larger than a part are sent in parts, as their bytes arrive. Throws if the
 * library is not installed.
 */
export function openS3(
  bucket: Bucket,
  { maxBytes, patience = usualPatience, resumablePart = usualPart }: S3Options,
): Storage {
  requireLibrary();
  const partSize = Math.max(leastPart, Math.ceil(maxBytes / mostParts));
  let connection: Promise<Connection> | null = null;

  async function connectedFor(traceparent: string | null): Promise<Connection> {
    connection ??= connectTo(bucket, patience);
    return tracedBy(await connection, traceparent);
  }

  const close = async () => {
    if (connection !== null) (await connection).client.destroy();
  };

  function storageFor(traceparent: string | null): Storage {
    const connected = () => connectedFor(traceparent);
    return storageOn(bucket, { partSize, resumablePart, connected, of: storageFor, close });
  }

  return storageFor(null);
}

interface S3Parts extends Required<Pick<Storage, "of" | "close">> {
  readonly partSize: number;
  readonly resumablePart: number;
  connected(): Promise<Connection>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the operations of one storage
function storageOn(
  bucket: Bucket,
  { partSize, resumablePart, connected, of, close }: S3Parts,
): Storage {
  const failure = (error: unknown) => s3Failure(bucket, error);

  async function attempt<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(await connected());
    } catch (error) {
      throw failure(error);
    }
  }

  async function readObject(key: string, range?: ByteRange): Promise<WholeObject | null> {
    const object = objectOf(bucket, key);
    const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    return attempt(async ({ client, sdk }) => {
      try {
        const found = await client.send(new sdk.GetObjectCommand({ ...object, ...bytes }));
        const { Body, ContentLength: size } = found;
        if (Body instanceof Readable && size !== undefined) return { bytes: Body, size };
        throw new StorageError(`bucket ${bucket.bucket}: its response has no body`);
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    });
  }

  function removeObject(key: string): Promise<void> {
    const object = objectOf(bucket, key);
    return attempt(({ client, sdk }) =>
      unlessGone(client.send(new sdk.DeleteObjectCommand(object))),
    );
  }

  const storage: Storage = {
    privatePrefix,
    of,

    growing: growingInBucket({
      partSize: resumablePart,
      objectOf: (place) => objectOf(bucket, place),
      attempt,
      read: async (place) => {
        const found = await readObject(place);
        return found === null ? null : attempt(() => buffer(found.bytes));
      },
      sizeOf: async (place) => {
        const found = await readObject(place);
        found?.bytes.destroy();
        return found?.size ?? null;
      },
      remove: (place) => removeObject(place),
      isGone,
    }),

    async write(key, source, headers) {
      const object = objectOf(bucket, key);
      await storeFrom(source, failure, async (bytes) => {
        const { client, Upload } = await connected();
        const upload = new Upload({
          client,
          params: {
            ...object,
            Body: Readable.from(bytes),
            ContentType: headers.contentType,
            ContentDisposition: headers.contentDisposition,
            CacheControl: headers.cacheControl,
          },
          partSize,
          queueSize: partsAtOnce,
        });
        await upload.done();
      });
    },

    async read(key, range) {
      return (await readObject(key, range))?.bytes ?? null;
    },

    readWhole: (key) => readObject(key),

    async remove(key) {
      const object = objectOf(bucket, key);
      await removeObject(key);
      return attempt(async (connection) => {
        try {
          await abortUploads(connection, object);
          return null;
        } catch (error) {
          if (!isForbidden(error)) throw error;
          return `bucket ${bucket.bucket}: parts of interrupted uploads stay: the access key may not find and remove them (s3:ListBucketMultipartUploads, s3:AbortMultipartUpload), or the server cannot`;
        }
      });
    },

    async addressOf(place, { method, seconds, cacheControl }) {
      const object = { ...objectOf(bucket, place), ResponseCacheControl: cacheControl };
      return attempt(async ({ client, sdk }) => {
        const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
        // A signature is valid for only one method.
        const command =
          method === "HEAD" ? new sdk.HeadObjectCommand(object) : new sdk.GetObjectCommand(object);
        return getSignedUrl(client, command, { expiresIn: Math.max(1, seconds) });
      });
    },

    async exposedAt() {
      const { publicUrl } = bucket;
      try {
        return await exposingAddress(storage, async (place) => {
          const given = { method: "GET", seconds: 60, cacheControl: "no-store" } as const;
          const signed = await storage.addressOf(place, given);
          const [own = ""] = signed?.split("?") ?? [];
          return [own, ...(publicUrl === null ? [] : [`${publicUrl}/${place}`])];
        });
      } catch (error) {
        throw failure(error);
      }
    },

    async check() {
      try {
        await tryObject(storage);
      } catch (error) {
        throw failure(error);
      }
    },

    async tryOut() {
      const found = await attempt(({ client, sdk }) => {
        // No object has this key. For a missing object, an access key that may not list the bucket gets 403.
        const answered = client.send(new sdk.GetObjectCommand({ Bucket: bucket.bucket, Key: "-" }));
        return answered.catch((error: unknown) => {
          if (!isGone(error) && nameOf(error) !== "AccessDenied") throw error;
          return null;
        });
      });
      if (found?.Body instanceof Readable) found.Body.destroy();
    },

    close,
  };
  return storage;
}

interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

function objectOf({ bucket }: Bucket, key: string): ObjectPlace {
  assertPlace(key, privatePrefix);
  return { Bucket: bucket, Key: key };
}

/**
 * Aborts the multipart uploads of exactly this object, whose parts would otherwise stay and be billed. A page of the
 * list has up to a thousand uploads; an object rarely has more than one.
 */
async function abortUploads({ client, sdk }: Connection, object: ObjectPlace): Promise<void> {
  const { Bucket, Key } = object;
  const { Uploads = [] } = await client.send(
    new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }),
  );
  for (const { UploadId } of Uploads.filter((upload) => upload.Key === Key)) {
    await unlessGone(client.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId })));
  }
}

/** Waits for a removal, which also succeeds if the target does not exist. */
async function unlessGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
