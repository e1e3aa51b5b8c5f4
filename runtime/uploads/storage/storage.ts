import type { Readable } from "node:stream";

/** Where stored files lie. An object, once written, never changes. Keys are storage keys; others throw. */
export interface Storage {
  /**
   * Stores what the source yields, all or nothing: where the source throws, nothing stays and its
   * error is passed on as it is.
   */
  write(key: string, source: Source, headers: ObjectHeaders): Promise<void>;
  /**
   * The bytes of an object, or a range of them that lies within it; null where there is no such object.
   * The caller reads the stream to its end or destroys it.
   */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /**
   * Removes the object and what an interrupted write of it left; fine where there is nothing. Resolves
   * with why it may not look for such leftovers, in words for the operator; null where it may.
   */
  remove(key: string): Promise<string | null>;
  /** Throws where files cannot be stored, read and removed at present. */
  check(): Promise<void>;
  /** Ends the connections that it keeps. */
  close(): Promise<void>;
}

/** Bytes as they come. They are asked for when there is room for them. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The first byte and the last, both included, from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a bucket answers when files are read straight from it. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

/**
 * The storage cannot do its work now: full, unreachable, refused. The message is for the log; the hint
 * says what to do about it, where that is known.
 */
export class StorageError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = "StorageError";
    this.hint = hint;
  }
}

/** What an error says, for the operator. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown failure";
}
