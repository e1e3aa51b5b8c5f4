import type { ObjectHeaders } from "../headers.js";

/** Files that come in several requests, each of which adds to what is kept, until they become objects. */
export interface GrowingFiles {
  /** Goes on with a file. What was written beyond its `size` is dropped. */
  open(file: Growing, options: OpenOptions): Promise<GrowingFile>;
  /**
   * Makes a whole file the object of its place, or does nothing where it is that already; false where its bytes are gone.
   */
  finish(file: Growing, headers: ObjectHeaders): Promise<boolean>;
  /** Removes what is kept beside the place, which `Storage.remove` does not find by its key. */
  removeParts(file: Growing): Promise<void>;
}

/** A file that is growing; plain data. */
export interface Growing {
  /** Where the object will be. */
  readonly place: string;
  /** Bytes of the whole file. */
  readonly length: number;
  readonly kept: Kept;
}

/** What is kept, whatever happens to this server. */
export interface Kept {
  /** Bytes. */
  readonly size: number;
  /** How a bucket has them; null on disk. */
  readonly parts: Parts | null;
}

/** A file in a bucket: parts of one length, then pieces that are still too small for one. */
export interface Parts {
  /** The bucket's name for the parts; null before the first one. */
  readonly upload: string | null;
  readonly tags: readonly string[];
  readonly pieces: readonly Piece[];
}

/** Bytes in an object of their own. */
export interface Piece {
  readonly at: number;
  readonly size: number;
}

export interface OpenOptions {
  /** The headers of the object, which are known with the file's opening. */
  readonly headers: () => ObjectHeaders;
  /** Ends what is waited for. */
  readonly signal: AbortSignal;
}

export interface GrowingFile {
  /** The first bytes that are kept, so many at most. */
  opening(bytes: number): Promise<Uint8Array>;
  /** How many more bytes may be added before the next `keep`. */
  room(): number;
  add(bytes: Uint8Array): Promise<void>;
  /** Keeps all that was added. */
  keep(): Promise<Kept>;
  /** Removes what is no longer needed once it is recorded what is kept. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
