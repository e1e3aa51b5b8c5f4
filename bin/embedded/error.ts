/** Why the embedded PostgreSQL cannot be used; the hint says what its user can do. */
export class EmbeddedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "EmbeddedError";
    this.hint = hint;
  }
}
