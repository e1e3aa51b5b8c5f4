import type { ObjectHeaders } from "../headers.js";

/** Stores files that arrive in several requests, each of which adds bytes, until they become objects. */
export interface GrowingFiles {
  /** Continues a file. Bytes beyond the recorded `size` are dropped. */
  open(file: Growing, options: OpenOptions): Promise<GrowingFile>;
  /**
   * Turns a complete file into the object; does nothing if that was already done. False if its bytes no longer exist.
   */
  finish(file: Growing, headers: ObjectHeaders): Promise<boolean>;
  /** Removes bytes stored under other keys, which `Storage.remove` does not find. */
  removeParts(file: Growing): Promise<void>;
}

/** An incomplete file; plain data. */
export interface Growing {
  /** The location that the object will have. */
  readonly place: string;
  /** Number of bytes of the complete file. */
  readonly length: number;
  readonly kept: Kept;
}

/** The bytes that are durably stored. */
export interface Kept {
  /** Number of bytes. */
  readonly size: number;
  /** How the bytes are stored in a bucket; null on disk. */
  readonly parts: Parts | null;
}

/** An incomplete file in a bucket: parts of equal length, followed by pieces that are still too small for a part. */
export interface Parts {
  /** The bucket's id of the multipart upload; null before the first part. */
  readonly upload: string | null;
  readonly tags: readonly string[];
  readonly pieces: readonly Piece[];
}

/** Bytes in a separate object. */
export interface Piece {
  readonly at: number;
  readonly size: number;
}

export interface OpenOptions {
  /** The headers of the object, known from the file's opening. */
  readonly headers: () => ObjectHeaders;
  readonly signal: AbortSignal;
}

export interface GrowingFile {
  /** The first stored bytes, at most this number. */
  opening(bytes: number): Promise<Uint8Array>;
  /** Number of bytes that may be added before the next `keep`. */
  room(): number;
  add(bytes: Uint8Array): Promise<void>;
  /** Stores all added bytes durably. */
  keep(): Promise<Kept>;
  /** Removes objects that are no longer needed once the result of `keep` is recorded. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
