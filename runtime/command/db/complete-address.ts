import { type DatabaseAddress, readAddress } from "../../db/index.js";
import { CommandRefused } from "../exit.js";

/**
 * Completes the address with settings that the server takes from elsewhere: PostgreSQL's variables (`PGHOST` …), the
 * defaults of its client, and parameters after the `?`. All PostgreSQL clients then interpret it as the server does. A
 * complete address is returned unchanged.
 */
export function completeAddress(url: string): string {
  const address = readAddress(url);
  if (address.user === "")
    throw new CommandRefused(noUser, "write it as postgres://user@host/name");
  const parameters = parametersOf(url);
  return isComplete(url, address, parameters) ? url : write(address, parameters);
}

const noUser = "The address of the database has no user, and neither PGUSER nor USER is set";

function isComplete(url: string, address: DatabaseAddress, parameters: URLSearchParams): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password, hostname, port, pathname, search } = new URL(url);
  return (
    [username, hostname, pathname.slice(1)].every((part) => part !== "") &&
    (password !== "" || address.password === null) &&
    (port !== "" || address.port === defaultPort) &&
    new URLSearchParams(search).toString() === parameters.toString()
  );
}

/** PostgreSQL's default. */
const defaultPort = 5432;

function write(address: DatabaseAddress, parameters: URLSearchParams): string {
  const { host, port, user, password, database } = address;
  const secret = password === null ? "" : `:${encodeURIComponent(password)}`;
  // The folder of a Unix socket replaces the host, percent-encoded.
  const place = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  const name = encodeURI(database).replace(/[?#]/g, encodeURIComponent);
  const search = parameters.size === 0 ? "" : `?${parameters.toString().replaceAll("+", "%20")}`;
  return `postgres://${encodeURIComponent(user)}${secret}@${place}:${port}/${name}${search}`;
}

/** Returns the parameters that PostgreSQL's clients support, spelled as in PostgreSQL; they refuse all others. */
function parametersOf(url: string): URLSearchParams {
  const [, search = ""] = /\?([^#]*)/.exec(url) ?? [];
  const written = new URLSearchParams(search);
  const kept = new URLSearchParams();
  for (const [name, value] of written) {
    if (name === "ssl" && /^(?:true|1)$/.test(value)) kept.set("sslmode", "require");
    else if (name === "sslmode" && value === "no-verify") kept.set("sslmode", "require");
    else if (known.has(name)) kept.append(name, value);
  }
  return kept;
}

/** https://www.postgresql.org/docs/18/libpq-connect.html, without those that the address itself contains. */
const known: ReadonlySet<string> = new Set([
  ...["application_name", "fallback_application_name", "options", "client_encoding"],
  ...["connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval"],
  ...["keepalives_count", "tcp_user_timeout", "target_session_attrs", "channel_binding"],
  ...["sslmode", "sslnegotiation", "sslcert", "sslkey", "sslpassword", "sslrootcert", "sslcrl"],
  ...["ssl_min_protocol_version", "ssl_max_protocol_version", "sslsni", "gssencmode"],
]);
