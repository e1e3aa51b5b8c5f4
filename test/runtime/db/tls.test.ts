import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { withSession } from "../../../runtime/db/index.js";
import { selfSigned } from "../../support/http/certificate.js";

/** PostgreSQL behind TLS with a certificate that nobody knows. */
let server: Server;
let folder: string;
let authority: string;
let other: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  const { privateKey, certificate } = await selfSigned("CN=elsewhere.example");
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const cert = certificate.toString("pem");
  folder = mkdtempSync(join(tmpdir(), "service-tls-"));
  authority = join(folder, "authority.pem");
  other = join(folder, "other.pem");
  writeFileSync(authority, cert);
  writeFileSync(other, (await selfSigned("CN=other")).certificate.toString("pem"));
  const { hostname, port } = new URL(inject("postgresUrl"));
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // The request for TLS is always eight bytes.
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      const inner = connect(Number(port), hostname);
      sockets.add(inner);
      for (const one of [secure, inner]) one.on("error", () => {});
      secure.pipe(inner).pipe(secure);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

async function answers(parameters: string): Promise<unknown> {
  const url = new URL(inject("postgresUrl"));
  url.port = String((server.address() as AddressInfo).port);
  url.search = parameters;
  try {
    return await withSession(
      { url: url.href },
      async ({ query }) => (await query("select 1 as one"))[0],
    );
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

test("sslmode verifies as libpq does, and nothing is printed", async () => {
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  expect(await answers("?sslmode=require")).toEqual({ one: 1 });
  expect(await answers("?application_name=a&sslmode=prefer")).toEqual({ one: 1 });
  expect(await answers(`?sslmode=require&sslrootcert=${authority}`)).toEqual({ one: 1 });
  expect(await answers(`?sslmode=verify-ca&sslrootcert=${authority}`)).toEqual({ one: 1 });
  expect(await answers(`?sslmode=require&sslrootcert=${other}`)).toBe(
    "DEPTH_ZERO_SELF_SIGNED_CERT",
  );
  expect(await answers("?sslmode=verify-full")).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(await answers(`?sslmode=verify-full&sslrootcert=${authority}`)).toBe(
    "ERR_TLS_CERT_ALTNAME_INVALID",
  );
  expect(warning).not.toHaveBeenCalled();
  warning.mockRestore();
});
