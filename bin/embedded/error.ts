import { DevelopmentDatabaseError } from "../../runtime/command/app/development.js";

/** Why the embedded PostgreSQL cannot be used; the hint tells the user how to fix it. */
export class EmbeddedError extends DevelopmentDatabaseError {
  constructor(message: string, hint: string) {
    super(message, hint);
    this.name = "EmbeddedError";
  }
}
