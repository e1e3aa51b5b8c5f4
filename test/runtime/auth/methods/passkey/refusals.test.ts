import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AssertionKnobs, Authenticator } from "../../../../support/accounts/authenticator.js";
import { processorMs } from "../../../../support/processes/processor-time.js";
import { tries } from "../../../../support/searches.js";
import {
  expectRefused,
  origin,
  type PasskeyServer,
  startPasskeys,
} from "../../support/passkeys.js";

let server: PasskeyServer;
let authenticator: Authenticator;

beforeAll(async () => {
  server = await startPasskeys();
  authenticator = await (await server.person()).enrolled();
});
afterAll(() => server.close());

/** Never ten times a minute. */
function send(credential: unknown) {
  server.clock.moveOn(7);
  return server.anonymous.post("/auth/passkey", { credential });
}

test.each<[string, AssertionKnobs]>([
  ["a foreign origin", { clientData: { origin: "https://shop.example.com.evil.test" } }],
  ["an origin with another port", { clientData: { origin: `${origin}:8443` } }],
  ["the origin without TLS", { clientData: { origin: "http://shop.example.com" } }],
  ["a localhost origin outside development", { clientData: { origin: "http://localhost:3001" } }],
  ["a missing origin", { clientData: { origin: undefined } }],
  ["an origin that is not text", { clientData: { origin: [origin] } }],
  ["a frame of another site", { clientData: { crossOrigin: true } }],
  ["a cross-origin flag that is not a boolean", { clientData: { crossOrigin: "false" } }],
  ["a top origin", { clientData: { topOrigin: "https://evil.test" } }],
  ["the type of another ceremony", { clientData: { type: "webauthn.create" } }],
  ["a missing type", { clientData: { type: undefined } }],
  ["an unknown challenge", { clientData: { challenge: randomBytes(32).toString("base64url") } }],
  ["a missing challenge", { clientData: { challenge: undefined } }],
  ["a challenge that is not text", { clientData: { challenge: 1 } }],
  ["another RP ID", { rpId: "example.com" }],
  ["no user verification", { isUserVerified: false }],
  ["no user presence", { isUserPresent: false }],
  [
    "a backup of a credential that cannot be backed up",
    { isBackupEligible: false, isBackedUp: true },
  ],
  ["an unknown credential", { credentialId: randomBytes(32) }],
  ["an empty credential id", { credentialId: Buffer.alloc(0) }],
  ["no user handle", { userHandle: null }],
  ["an empty user handle", { userHandle: Buffer.alloc(0) }],
  ["an unknown user handle", { userHandle: randomBytes(16) }],
  [
    "the signature of another key",
    { privateKey: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey },
  ],
  ["a signature of another kind", { privateKey: generateKeyPairSync("ed25519").privateKey }],
])("%s is refused", async (_, knobs) => {
  expectRefused(await server.signIn(authenticator, knobs));
  expect((await server.signIn(authenticator)).status).toBe(201);
});

test("attempts with unreadable client data count towards the ten a minute", async () => {
  server.clock.moveOn(61);
  const response = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" };
  const credential = { id: "AAAB", rawId: "AAAB", type: "public-key", response };
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    statuses.push((await server.anonymous.post("/auth/passkey", { credential })).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  server.clock.moveOn(61);
});

test("the user handle and the credential must be of one account", async () => {
  const [one, other] = [await server.person(), await server.person()];
  const [own, foreign] = [await one.enrolled(), await other.enrolled()];
  const { id, response } = foreign.get(await server.requestOptions());
  const { userHandle = "" } = response;
  expectRefused(await server.signIn(own, { userHandle: Buffer.from(userHandle, "base64url") }));
  expectRefused(await server.signIn(own, { credentialId: Buffer.from(id, "base64url") }));
});

const head = Buffer.alloc(37);
/** The longest that the limit of an account's body, 16 384 bytes, lets through about whole. */
const long = Buffer.alloc(10_000, 0x81);

test.each<[string, Partial<AuthenticationResponseJSON["response"]>]>([
  ["client data that is not JSON", { clientDataJSON: encode("{") }],
  ["client data that is null", { clientDataJSON: encode("null") }],
  ["client data that is a list", { clientDataJSON: encode("[]") }],
  ["client data that is not UTF-8", { clientDataJSON: encode(Buffer.from([0xff, 0xfe])) }],
  ["no client data", { clientDataJSON: "" }],
  ["deep client data", { clientDataJSON: encode("[".repeat(9_000)) }],
  ["no authenticator data", { authenticatorData: "" }],
  ["no signature", { signature: "" }],
  ["ten kilobytes of client data", { clientDataJSON: encode(long) }],
  ["ten kilobytes of CBOR", { authenticatorData: encode(Buffer.concat([head, long])) }],
  ["ten kilobytes of signature", { signature: encode(long) }],
  ["ten kilobytes of user handle", { userHandle: encode(long) }],
])("%s is refused quickly", async (_, wrong) => {
  const { response, ...credential } = authenticator.get(await server.requestOptions());
  const sent = { ...credential, response: { ...response, ...wrong } };
  const spent = await processorMs(async () => expectRefused(await send(sent)));
  expect(spent).toBeLessThan(1_000);
});

test.each<[string, Buffer]>([
  ["too short", Buffer.alloc(36)],
  ["with bytes left over", signedHead(0x05, Buffer.from([0]))],
  ["with extensions that are missing", signedHead(0x85)],
  ["with extensions that are malformed", signedHead(0x85, Buffer.from([0xbf, 0xff]))],
  ["with extensions without an end", signedHead(0x85, Buffer.from("bbffffffffffffffff", "hex"))],
  ["with extensions nested deep", signedHead(0x85, Buffer.alloc(9_000, 0x81))],
  ["with a key that is malformed", signedHead(0x45, Buffer.alloc(40, 0xff))],
])("signed authenticator data %s is refused", async (_, authenticatorData) => {
  expectRefused(await server.signIn(authenticator, { authenticatorData }));
});

test.each<[string, unknown, readonly string[]]>([
  ["nothing", undefined, ["credential"]],
  ["null", null, ["credential"]],
  ["text", "credential", ["credential"]],
  ["a list", [], ["credential"]],
  ["an empty object", {}, ["id", "rawId", "type", "response"].map((key) => `credential.${key}`)],
  ["no response", { ...shell(), response: undefined }, ["credential.response"]],
  ["another type", { ...shell(), type: "password" }, ["credential.type"]],
  ["an id that is a number", { ...shell(), id: 1 }, ["credential.id"]],
  ["an id that is not base64url", { ...shell(), id: "a+b/" }, ["credential.id"]],
  ["an id with padding", { ...shell(), id: "YQ==" }, ["credential.id"]],
  [
    "a signature that is a list",
    { ...shell(), response: { ...shell().response, signature: [1, 2] } },
    ["credential.response.signature"],
  ],
])("a credential that is %s is 422", async (_, credential, paths) => {
  const reply = await server.anonymous.post<{ issues: { path: string }[] }>("/auth/passkey", {
    credential,
  });
  expect(reply.status, reply.text).toBe(422);
  expect(reply.body).toEqual({ error: expect.any(String), issues: expect.any(Array) });
  expect(reply.body.issues.map(({ path }) => path)).toEqual(paths);
});

test("bodies are strict, except for members that browsers add to credentials", async () => {
  const credential = authenticator.get(await server.requestOptions());
  const more = { ...credential, later: 1, response: { ...credential.response, later: 1 } };
  const strange = await server.anonymous.post("/auth/passkey", { credential: more, later: 1 });
  expect(strange.status).toBe(422);
  expect((await server.anonymous.post("/auth/passkey/options", { later: 1 })).status).toBe(422);
  expect((await send(more)).status).toBe(201);
});

test("an assertion with any byte changed is refused with the same response", async () => {
  const keys = ["clientDataJSON", "authenticatorData", "signature", "userHandle"] as const;
  const change = fc.record({
    key: fc.constantFrom(...keys),
    at: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ key, at, flip }) => {
      const credential = authenticator.get(await server.requestOptions());
      const bytes = Buffer.from(credential.response[key] ?? "", "base64url");
      // The two numbers of a signature are framed; the frame may be written in other ways.
      const first = key === "signature" ? bytes.length - 20 : 0;
      const place = first + (at % (bytes.length - first));
      bytes.writeUInt8(bytes.readUInt8(place) ^ flip, place);
      const response = { ...credential.response, [key]: encode(bytes) };
      expectRefused(await send({ ...credential, response }));
    }),
    { numRuns: tries(150) },
  );
  expect((await server.signIn(authenticator)).status).toBe(201);
});

function encode(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Authenticator data for this relying party with these flags, and what follows. */
function signedHead(flags: number, rest = Buffer.alloc(0)): Buffer {
  const rpIdHash = createHash("sha256").update("shop.example.com").digest();
  return Buffer.concat([rpIdHash, Buffer.from([flags, 0, 0, 1, 0]), rest]);
}

/** What has the shape of a credential. */
function shell() {
  const response = { clientDataJSON: "", authenticatorData: "", signature: "" };
  return { id: "", rawId: "", type: "public-key", response };
}
