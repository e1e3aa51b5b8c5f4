import type { Readable } from "node:stream";
import type { GrowingFiles } from "./growing/growing.js";
import type { ObjectHeaders } from "./headers.js";

/**
 * Keeps files. An object never changes once it is written. Keys are storage keys, of private files after the prefix; other
 * texts throw.
 */
export interface Storage {
  /** What precedes the keys of private files; empty where these are kept with the others. */
  readonly privatePrefix: string;
  /** The same for what belongs to that part of a trace; left out where nothing is sent to another program. */
  of?(traceparent: string | null): Storage;
  /** Files that come in several requests. */
  readonly growing: GrowingFiles;
  /**
   * Stores what the source yields, all or nothing: where the source throws, nothing stays and its error is
   * rethrown unchanged.
   */
  write(key: string, source: Source, headers: ObjectHeaders): Promise<void>;
  /**
   * The bytes of an object, or of a range within it; null where there is no such object.
   * The caller reads the stream to its end or destroys it.
   */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The bytes of an object and their number, as `read` gives them; null where there is no such object. */
  readWhole(key: string): Promise<WholeObject | null>;
  /**
   * Removes the object and what an interrupted write of it left; fine where there is nothing. Resolves with
   * why it may not look for such leftovers, as a sentence for the operator; null where it may.
   */
  remove(key: string): Promise<string | null>;
  /**
   * An address by which anybody may read the object for that many seconds, past this server; null where the storage has
   * none. The answer there has that `Cache-Control`.
   */
  addressOf(place: string, given: AddressGiven): Promise<string | null>;
  /**
   * The address at which anybody can read private files without credentials; null where nobody can, or it has no
   * addresses. It writes a small object and removes it.
   */
  exposedAt(): Promise<string | null>;
  /** Throws where files cannot be stored, read and removed at present. */
  check(): Promise<void>;
  /** Throws where it does not work at present, as far as this shows without leaving a trace: a health check. */
  tryOut(): Promise<void>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** Bytes as they arrive, pulled when there is room for them. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** An object as the storage has it, whatever is recorded of it. */
export interface WholeObject {
  readonly bytes: Readable;
  /** The number of bytes. */
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
 * The storage does not work at present: full, unreachable, access refused. The message is for the log; the
 * hint says what to do about it, where that is known.
 */
export class StorageError extends Error {
  readonly hint: string | null;
  /** Whether there is no room: everything else works. */
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
