import { DevelopmentDatabaseError } from "../../runtime/command/app/development.js";

/** Thrown if the embedded PostgreSQL cannot be used; the hint says how to fix it. */
export class EmbeddedError extends DevelopmentDatabaseError {
  constructor(message: string, hint: string) {
    super(message, hint);
    this.name = "EmbeddedError";
  }
}
