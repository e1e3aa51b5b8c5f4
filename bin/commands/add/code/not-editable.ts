/** Why own code cannot be edited safely: its author is shown what to paste instead. */
export class NotEditable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NotEditable";
  }
}
