import type { ObjectHeaders } from "../headers.js";

/** Files that arrive in several requests, each of which adds to the kept bytes, until they become objects. */
export interface GrowingFiles {
  /** Continues a file. Bytes beyond its `size` are dropped. */
  open(file: Growing, options: OpenOptions): Promise<GrowingFile>;
  /**
   * Makes a complete file the object of its place; does nothing if it already is. False if its bytes no longer exist.
   */
  finish(file: Growing, headers: ObjectHeaders): Promise<boolean>;
  /** Removes bytes kept beside the place, which `Storage.remove` does not find by its key. */
  removeParts(file: Growing): Promise<void>;
}

/** A file that is growing; plain data. */
export interface Growing {
  /** The future place of the object. */
  readonly place: string;
  /** Bytes of the whole file. */
  readonly length: number;
  readonly kept: Kept;
}

/** The durably stored bytes. */
export interface Kept {
  /** In bytes. */
  readonly size: number;
  /** The form of the bytes in a bucket; null on disk. */
  readonly parts: Parts | null;
}

/** A file in a bucket: parts of one length, followed by pieces still too small for a part. */
export interface Parts {
  /** The bucket's upload id for the parts; null before the first one. */
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
  /** The first kept bytes, up to that number. */
  opening(bytes: number): Promise<Uint8Array>;
  /** The number of bytes that may be added before the next `keep`. */
  room(): number;
  add(bytes: Uint8Array): Promise<void>;
  /** Keeps all added bytes. */
  keep(): Promise<Kept>;
  /** Removes what is obsolete once the kept bytes are recorded. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
