/** A file's new text, and in words what is new. */
export interface Rewritten {
  readonly text: string;
  readonly what: string;
}
