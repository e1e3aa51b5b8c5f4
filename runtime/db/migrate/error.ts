/** Why migrations were not applied, or cannot be; the hint says what the operator can do. */
export class MigrationError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MigrationError";
    this.hint = hint;
  }
}
