/** A mistake in an expression, and its position in the text. */
export class ExpressionMistake extends Error {
  /** Counts from 0. */
  readonly at: number;
  readonly hint: string;

  constructor(at: number, message: string, hint: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}
