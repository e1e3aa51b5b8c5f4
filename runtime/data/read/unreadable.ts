/** A file that cannot be read at all. */
export class Unreadable extends Error {
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}
