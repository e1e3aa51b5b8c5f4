import type { Readable } from "node:stream";
import type { GrowingFiles } from "./growing/growing.js";
import type { ObjectHeaders } from "./headers.js";

/**
 * Stores files. An object never changes once it is written. Keys are storage keys, for private files with the prefix;
 * any other text throws.
 */
export interface Storage {
  /** The prefix of private files' keys; empty if they are stored with the others. */
  readonly privatePrefix: string;
  /**
   * Returns the storage with the trace header on its requests; left out if nothing is sent to
   * another program.
   */
  of?(traceparent: string | null): Storage;
  /** Files that arrive in several requests. */
  readonly growing: GrowingFiles;
  /**
   * Stores the source's bytes, all or nothing: if the source throws, nothing stays and its error is rethrown unchanged.
   */
  write(key: string, source: Source, headers: ObjectHeaders): Promise<void>;
  /**
   * The bytes of an object, or of a range within it; null if there is no such object. The caller must read the stream
   * to its end or destroy it.
   */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The bytes of an object, like `read`, and their number; null if there is no such object. */
  readWhole(key: string): Promise<WholeObject | null>;
  /**
   * Removes the object and leftovers of an interrupted write; succeeds if there is nothing. Resolves with the reason
   * why it lacks permission to look for such leftovers, as a sentence for the operator; null if it may.
   */
  remove(key: string): Promise<string | null>;
  /**
   * A URL at which anyone may read the object for that number of seconds, bypassing this server;
   * null if the storage has none. The response at that URL has the given `Cache-Control`.
   */
  addressOf(place: string, given: AddressGiven): Promise<string | null>;
  /**
   * The URL at which private files can be read without credentials; null if they cannot, or if the storage has no URLs.
   * Writes a small object and removes it.
   */
  exposedAt(): Promise<string | null>;
  /** Throws if files cannot be stored, read and removed at present. */
  check(): Promise<void>;
  /**
   * A health check: throws if the storage does not work at present, as far as can be detected without leaving a trace.
   */
  tryOut(): Promise<void>;
  close(): Promise<void>;
}

/** Chunks of bytes, pulled as there is room for them. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** An object as it is in the storage, independent of records. */
export interface WholeObject {
  readonly bytes: Readable;
  /** In bytes. */
  readonly size: number;
}

export interface AddressGiven {
  readonly method: "GET" | "HEAD";
  readonly seconds: number;
  readonly cacheControl: string;
}

/** The first byte and the last, both included, from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The storage does not work at present: full, unreachable, access refused. The message is for the log; the hint, if
 * there is one, describes how to fix it.
 */
export class StorageError extends Error {
  readonly hint: string | null;
  /** Whether there is no room, although everything else works. */
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
