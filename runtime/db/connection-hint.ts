import { sqlState } from "./sqlstate.js";

/** What to do when the database that `DATABASE_URL` names cannot be reached, or refuses it. */
export function connectionHint(error: unknown): string {
  if (codes(error).some((code) => nameCodes.has(code))) {
    return `check the host in DATABASE_URL; if the password has ${specials}, percent-encode the password (@ is %40)`;
  }
  const state = sqlState(error) ?? "";
  if (state === "3D000") {
    return "create that database, or correct the name at the end of DATABASE_URL";
  }
  if (state.startsWith("28")) {
    return `correct user and password in DATABASE_URL; if the password has ${specials}, percent-encode it (@ is %40)`;
  }
  return "check DATABASE_URL and that PostgreSQL runs there";
}

/** They end the password of an address, or the whole address, too early. */
const specials = "one of @ : / ? # %";

const nameCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** Node puts several failed addresses into one error. */
function codes(error: unknown): readonly string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codes);
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? [code] : [];
}
