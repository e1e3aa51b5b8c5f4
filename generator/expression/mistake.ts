/** A mistake in an expression, with its position in the text. */
export class ExpressionMistake extends Error {
  /** Position in the text, from 0. */
  readonly at: number;
  readonly hint: string;

  constructor(at: number, message: string, hint: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}
