import type { Readable } from "node:stream";
import type { GrowingFiles } from "./growing/growing.js";
import type { ObjectHeaders } from "./headers.js";

/**
 * Stores files as objects, which never change after they are written. Keys are storage keys, with a prefix for private
 * files; methods throw for any other text.
 */
export interface Storage {
  /** The prefix of private files' keys; empty if they are not stored separately. */
  readonly privatePrefix: string;
  /** Returns a storage that sends the trace header with its requests; left out if it does not send requests. */
  of?(traceparent: string | null): Storage;
  /** Files that arrive in several requests. */
  readonly growing: GrowingFiles;
  /** Stores the source's bytes. If the source throws, nothing is stored and its error is rethrown unchanged. */
  write(key: string, source: Source, headers: ObjectHeaders): Promise<void>;
  /**
   * The bytes of an object, or of a range within it; null if there is no such object. The caller must read the stream
   * to its end or destroy it.
   */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The bytes of an object, like `read`, and its size; null if there is no such object. */
  readWhole(key: string): Promise<WholeObject | null>;
  /**
   * Removes the object and remains of an interrupted write; succeeds if there is nothing. Resolves with a sentence for
   * the operator if it lacks permission to look for such remains; otherwise null.
   */
  remove(key: string): Promise<string | null>;
  /**
   * A URL at which the object can be read without a token for some seconds, bypassing this server; null if the storage
   * has no URLs. The response at that URL has the given `Cache-Control`.
   */
  addressOf(place: string, given: AddressGiven): Promise<string | null>;
  /**
   * The URL at which private files can be read without credentials; null if they cannot, or if the storage has no URLs.
   * Writes a small object and removes it.
   */
  exposedAt(): Promise<string | null>;
  /** Throws if files cannot be stored, read and removed at the moment. */
  check(): Promise<void>;
  /** A health check: throws if the storage does not work, as far as that can be detected without writing. */
  tryOut(): Promise<void>;
  close(): Promise<void>;
}

/** Chunks of bytes, pulled as there is room for them. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** An object in the storage, independent of records. */
export interface WholeObject {
  readonly bytes: Readable;
  /** Bytes. */
  readonly size: number;
}

export interface AddressGiven {
  readonly method: "GET" | "HEAD";
  readonly seconds: number;
  readonly cacheControl: string;
}

/** The offsets of the first and the last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The storage does not work at the moment: it is full, unreachable, or refuses access. The message is for the log; the
 * hint, if any, describes how to fix it.
 */
export class StorageError extends Error {
  readonly hint: string | null;
  /** Whether the storage is full, but otherwise works. */
  readonly isFull: boolean;

  constructor(message: string, { hint = null, isFull = false }: StorageErrorDetails = {}) {
    super(message);
    this.name = "StorageError";
    this.hint = hint;
    this.isFull = isFull;
  }
}

interface StorageErrorDetails {
  readonly hint?: string | null;
  readonly isFull?: boolean;
}
