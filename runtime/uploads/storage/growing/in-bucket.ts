import type { Connection } from "../s3-client.js";
import { StorageError } from "../storage.js";
import type {
  Growing,
  GrowingFile,
  GrowingFiles,
  Kept,
  OpenOptions,
  Parts,
  Piece,
} from "./growing.js";

/** What incomplete files need of the bucket's storage. */
export interface BucketWork {
  /** Bytes per part; more if a file is so long that it would have too many parts. */
  readonly partSize: number;
  /** The parameters of requests for an object. */
  objectOf(place: string): { readonly Bucket: string; readonly Key: string };
  /** Runs the work; converts every error to a storage error. */
  attempt<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  read(place: string): Promise<Uint8Array | null>;
  /** The size of an object in bytes; null if there is none. */
  sizeOf(place: string): Promise<number | null>;
  remove(place: string): Promise<unknown>;
  isGone(error: unknown): boolean;
}

/**
 * Bytes per part: some stores accept only parts of equal length, except for the last. Clients send a multiple of it at
 * once.
 */
export const usualPart = 8 * 1024 * 1024;
const mostParts = 10_000;

/**
 * Maximum number of pieces after the parts. Further ones are merged, so that one-byte requests do not create millions.
 */
const mostPieces = 32;

const noParts: Parts = { upload: null, tags: [], pieces: [] };

/**
 * Stores each file as a multipart upload of the object itself. If a request ends with too few bytes for a part, they
 * are stored in a separate object until the part is full. Small requests thus do not send them again.
 */
export function growingInBucket(bucket: BucketWork): GrowingFiles {
  const { attempt, objectOf } = bucket;

  async function complete({ place, length }: Growing, { upload, tags }: Parts): Promise<boolean> {
    const MultipartUpload = {
      Parts: tags.map((ETag, at) => ({ ETag, PartNumber: at + 1 })),
    };
    return attempt(async ({ client, sdk }) => {
      try {
        const done = { ...objectOf(place), UploadId: upload ?? "", MultipartUpload };
        await client.send(new sdk.CompleteMultipartUploadCommand(done));
        return true;
      } catch (error) {
        if (!bucket.isGone(error)) throw error;
        return (await bucket.sizeOf(place)) === length;
      }
    });
  }

  return {
    async open(file, options) {
      return fileIn(bucket, file, options);
    },

    async finish(file, headers) {
      const { place, length, kept } = file;
      const parts = kept.parts ?? noParts;
      if (parts.upload !== null) return complete(file, parts);
      const bytes = await piecesOf(bucket, place, parts);
      if (bytes === null) return (await bucket.sizeOf(place)) === length;
      await attempt(({ client, sdk }) =>
        client.send(
          new sdk.PutObjectCommand({
            ...objectOf(place),
            Body: Buffer.concat(bytes),
            ContentType: headers.contentType,
            ContentDisposition: headers.contentDisposition,
            CacheControl: headers.cacheControl,
          }),
        ),
      );
      return true;
    },

    async removeParts({ place, kept }) {
      await Promise.all(
        (kept.parts?.pieces ?? []).map(({ at }) => bucket.remove(pieceOf(place, at))),
      );
    },
  };
}

/**
 * The key of a piece. No other object has such a key: the part of a file's name before the first dot contains an id.
 */
export function pieceOf(place: string, at: number): string {
  return `${place}.${at}`;
}

/** The bytes of all pieces; null if one is missing. */
async function piecesOf(
  { read }: BucketWork,
  place: string,
  { pieces }: Parts,
): Promise<readonly Uint8Array[] | null> {
  const found: Uint8Array[] = [];
  for (const { at, size } of pieces) {
    const bytes = await read(pieceOf(place, at));
    // A longer piece, whose size was not recorded, begins with the same bytes.
    if (bytes === null || bytes.length < size) return null;
    found.push(bytes.subarray(0, size));
  }
  return found;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the operations of one file, which share its state
function fileIn(
  bucket: BucketWork,
  { place, length, kept: before }: Growing,
  { headers, signal }: OpenOptions,
): GrowingFile {
  const { attempt, objectOf } = bucket;
  const partSize = Math.max(bucket.partSize, Math.ceil(length / mostParts));
  let kept: Kept = before;
  let parts = before.parts ?? noParts;
  let added: Uint8Array[] = [];
  let unneeded: readonly Piece[] = [];
  let size = before.size;

  async function allPieces(): Promise<readonly Uint8Array[]> {
    const found = await piecesOf(bucket, place, parts);
    if (found === null) throw new StorageError(`${place} has lost bytes`);
    return found;
  }

  async function begin(): Promise<string> {
    const { contentType, contentDisposition, cacheControl } = headers();
    const { UploadId } = await attempt(({ client, sdk }) =>
      client.send(
        new sdk.CreateMultipartUploadCommand({
          ...objectOf(place),
          ContentType: contentType,
          ContentDisposition: contentDisposition,
          CacheControl: cacheControl,
        }),
        { abortSignal: signal },
      ),
    );
    if (UploadId === undefined)
      throw new StorageError(`${place}: the storage began no multipart upload`);
    return UploadId;
  }

  async function sendPart(): Promise<void> {
    const upload = parts.upload ?? (await begin());
    parts = { ...parts, upload };
    const Body = Buffer.concat([...(await allPieces()), ...added]);
    const part = { ...objectOf(place), UploadId: upload, PartNumber: parts.tags.length + 1, Body };
    const { ETag } = await attempt(({ client, sdk }) =>
      client.send(new sdk.UploadPartCommand(part), { abortSignal: signal }),
    );
    if (ETag === undefined)
      throw new StorageError(`${place}: the storage returned no ETag for a part`);
    parts = { upload, tags: [...parts.tags, ETag], pieces: [] };
  }

  async function sendPiece(): Promise<void> {
    const isMerged = parts.pieces.length >= mostPieces;
    const at = isMerged ? (parts.pieces[0]?.at ?? 0) : kept.size;
    const Body = Buffer.concat([...(isMerged ? await allPieces() : []), ...added]);
    await attempt(({ client, sdk }) =>
      client.send(new sdk.PutObjectCommand({ ...objectOf(pieceOf(place, at)), Body }), {
        abortSignal: signal,
      }),
    );
    const piece = { at, size: Body.length };
    parts = { ...parts, pieces: isMerged ? [piece] : [...parts.pieces, piece] };
  }

  return {
    async opening(bytes) {
      return Buffer.concat(await allPieces()).subarray(0, bytes);
    },
    room: () => partSize - (size % partSize),
    async add(bytes) {
      // Copied, because the chunk is a slice of a larger buffer, which would stay in memory.
      added.push(Buffer.from(bytes));
      size += bytes.length;
    },
    async keep() {
      if (added.length === 0) return kept;
      const former = parts.pieces;
      const isPart = size % partSize === 0 || (size === length && parts.upload !== null);
      await (isPart ? sendPart() : sendPiece());
      added = [];
      kept = { size, parts };
      unneeded = [...unneeded, ...former].filter(
        (one) => !parts.pieces.some(({ at }) => at === one.at),
      );
      return kept;
    },
    async tidy() {
      const pieces = unneeded;
      unneeded = [];
      await Promise.all(pieces.map(({ at }) => bucket.remove(pieceOf(place, at))));
    },
    async close() {},
  };
}
