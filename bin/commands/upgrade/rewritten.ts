/** A file's new text and a description of the changes. */
export interface Rewritten {
  readonly text: string;
  readonly what: string;
}
