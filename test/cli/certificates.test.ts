import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCertificate } from "../../runtime/command/doctor/operation/certificate.js";
import {
  certificateFinding,
  checkCertificates,
} from "../../runtime/command/doctor/operation/certificates.js";
import { readConfig } from "../../runtime/config/index.js";

let folder: string;
let pair: { readonly key: string; readonly cert: string };
const servers: Server[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "5"];
  await execa("openssl", ["req", "-x509", ...made, "-subj", "/CN=localhost"]);
  pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<{ readonly host: string; readonly port: number }> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

/** Answers what it is sent line by line or byte by byte, then speaks TLS. */
function upgrading(talk: (socket: Socket) => Promise<void>): Server {
  return createServer(async (socket) => {
    socket.on("error", () => {});
    await talk(socket);
    new TLSSocket(socket, { isServer: true, ...pair }).on("error", () => {});
  });
}

const inFiveDays = () => Date.now() + 5 * 86_400_000;

async function expectRead(place: Parameters<typeof readCertificate>[0]): Promise<void> {
  const found = await readCertificate(place);
  expect(Math.abs((found?.until.getTime() ?? 0) - inFiveDays())).toBeLessThan(60_000);
}

test("reads a certificate by TLS from the start", async () => {
  await expectRead({ ...(await listen(createTlsServer(pair))), by: "tls" });
});

test("reads PostgreSQL's", async () => {
  const place = await listen(
    upgrading(async (socket) => {
      const [request] = await once(socket, "data");
      expect((request as Buffer).toString("hex")).toBe("0000000804d2162f");
      socket.write("S");
    }),
  );
  await expectRead({ ...place, by: "postgres" });
  const without = await listen(createServer((socket) => void socket.write("N")));
  expect(await readCertificate({ ...without, by: "postgres" })).toBeNull();
});

test("reads a mail server's after STARTTLS", async () => {
  const place = await listen(
    upgrading(async (socket) => {
      socket.write("220-mail.example\r\n220 ready\r\n");
      expect(String((await once(socket, "data"))[0])).toBe("EHLO localhost\r\n");
      socket.write("250-mail.example\r\n");
      setTimeout(() => socket.write("250-STARTTLS\r\n250 SIZE 1000\r\n"), 20);
      expect(String((await once(socket, "data"))[0])).toBe("STARTTLS\r\n");
      socket.write("220 go ahead\r\n");
    }),
  );
  await expectRead({ ...place, by: "smtp" });
  const without = await listen(
    createServer((socket) => {
      socket.write("220 ready\r\n");
      socket.on("data", () => socket.write("250 mail.example\r\n"));
    }),
  );
  expect(await readCertificate({ ...without, by: "smtp" })).toBeNull();
});

test("checks the certificate of each site once", async () => {
  const addresses: string[] = [];
  for (let made = 0; made < 2; made += 1) {
    const { host, port } = await listen(createTlsServer(pair));
    addresses.push(`${host}:${port}`);
  }
  const [staff = "", shop = ""] = addresses;
  const sites = `shop: "https://${shop}", same: "https://${staff}", plain: "http://localhost:5173"`;
  writeFileSync(join(folder, "service.yaml"), `auth: { sites: { ${sites} } }\n`);
  const config = readConfig({
    root: folder,
    environment: { SERVICE_WEB_URL: `https://${staff}`, SERVICE_SECRET: "s".repeat(32) },
    databaseUrl: "postgres://localhost/shop",
  });
  const found = await checkCertificates(config);
  expect(found.map((finding) => finding.found.split(",")[0])).toEqual([staff, shop]);
});

test("returns nothing if no server answers", async () => {
  expect(await readCertificate({ host: "127.0.0.1", port: 9, by: "tls" })).toBeNull();
});

test.each([
  ["90 days, 40 left", 90, 40, "ok"],
  ["90 days, 17 left", 90, 17, "warning"],
  ["a year, 22 left", 365, 22, "ok"],
  ["a year, 20 left", 365, 20, "warning"],
  ["six days, two left", 6, 2, "ok"],
  ["ended yesterday", 90, -1, "problem"],
])("a certificate of %s is %s", (_, life, left, state) => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const day = 86_400_000;
  const until = new Date(now + left * day);
  const certificate = { from: new Date(until.getTime() - life * day), until };
  const place = { host: "shop.example", port: 587, by: "smtp" } as const;
  const finding = certificateFinding(place, certificate, now);
  expect(finding.state).toBe(state);
  if (state !== "ok") {
    expect(finding.fix).toContain(
      "openssl s_client -connect shop.example:587 -starttls smtp </dev/null | openssl x509 -noout -enddate",
    );
  }
});
