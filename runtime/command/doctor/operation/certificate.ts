import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** An endpoint with a certificate, and how a connection to it is upgraded to TLS. */
export interface TlsPlace {
  readonly host: string;
  readonly port: number;
  readonly by: "tls" | "postgres" | "smtp";
}

/** Timeout of the whole check in milliseconds. */
const patience = 5_000;
/** Maximum number of characters of a greeting; a server may send any amount. */
const maxReply = 10_000;

/** Returns the period in which an endpoint's certificate is valid; null if no certificate can be read. */
export async function readCertificate({
  host,
  port,
  by,
}: TlsPlace): Promise<{ readonly from: Date; readonly until: Date } | null> {
  const signal = AbortSignal.timeout(patience);
  const socket = connectTcp({ host, port });
  // Errors are reported to the pending reads.
  socket.on("error", () => {});
  try {
    await once(socket, "connect", { signal });
    if (!(await beginTls[by](socket, signal))) return null;
    // Only the dates are checked; the server decides whether to trust the certificate.
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const secured = connectTls({ socket, rejectUnauthorized: false, ...servername });
    secured.on("error", () => {});
    await once(secured, "secureConnect", { signal });
    const { valid_from: from, valid_to: until } = secured.getPeerCertificate();
    return until === undefined ? null : { from: new Date(from), until: new Date(until) };
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

type Begin = (socket: Socket, signal: AbortSignal) => Promise<boolean>;

/** The exchange before the handshake; false if the server does not support TLS. */
const beginTls: Readonly<Record<TlsPlace["by"], Begin>> = {
  tls: async () => true,
  // SSLRequest (PostgreSQL, 55.7): its length and code.
  postgres: async (socket, signal) => {
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
    const [answer] = await once(socket, "data", { signal });
    return String(answer) === "S";
  },
  // RFC 3207.
  smtp: async (socket, signal) => {
    await reply(socket, signal);
    socket.write("EHLO localhost\r\n");
    if (!/^250[- ]STARTTLS\b/im.test(await reply(socket, signal))) return false;
    socket.write("STARTTLS\r\n");
    return (await reply(socket, signal)).startsWith("220");
  },
};

/** Reads a reply up to its last line, which has no hyphen after its number. */
async function reply(socket: Socket, signal: AbortSignal): Promise<string> {
  let text = "";
  while (!/^\d{3}(?: .*)?\r?\n$/m.test(text) && text.length < maxReply) {
    const [chunk] = await once(socket, "data", { signal });
    text += String(chunk);
  }
  return text;
}
