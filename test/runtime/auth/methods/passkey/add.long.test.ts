import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAttester } from "../../../../support/accounts/attester.js";
import { type CreationKnobs, cbor, coseKey } from "../../../../support/accounts/authenticator.js";
import { paths } from "../../../../support/apps/shop.js";
import type { Reply } from "../../../../support/http/client.js";
import { processorMs } from "../../../../support/processes/processor-time.js";
import { tries } from "../../../../support/searches.js";
import {
  atDashboard,
  origin,
  type PasskeyPerson,
  type PasskeyServer,
  startPasskeys,
} from "../../support/passkeys.js";

let server: PasskeyServer;
let ada: PasskeyPerson;

beforeAll(async () => {
  server = await startPasskeys();
  // The first passkey loads the library, which would be measured.
  await (await server.person()).enrolled();
});
beforeEach(async () => {
  ada = await server.person();
});
afterAll(() => server.close());

/** Whoever is signed in gets 422, since 401 speaks of the token. */
function expectUnverified(reply: Reply): void {
  expect(reply.status, reply.text).toBe(422);
  expect(reply.body).toEqual({
    error: "The passkey could not be verified",
    code: "INVALID_PASSKEY",
    issues: [{ path: "credential", message: "Could not be verified" }],
  });
}

function send(credential: unknown, { client }: PasskeyPerson = ada) {
  return client.post("/auth/passkeys", { credential });
}

const certified = new Map<string, number | Uint8Array | Uint8Array[]>([
  ["alg", -7],
  ["sig", new Uint8Array(70)],
  ["x5c", [new Uint8Array(500)]],
]);
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;

test.each<[string, CreationKnobs]>([
  ["a foreign origin", { clientData: { origin: "https://evil.test" } }],
  ["a missing origin", { clientData: { origin: undefined } }],
  ["a frame of another site", { clientData: { crossOrigin: true } }],
  ["a top origin", { clientData: { topOrigin: origin } }],
  ["the type of another ceremony", { clientData: { type: "webauthn.get" } }],
  ["an unknown challenge", { clientData: { challenge: randomBytes(32).toString("base64url") } }],
  ["another RP ID", { rpId: "example.com" }],
  ["no user verification", { isUserVerified: false }],
  ["no user presence", { isUserPresent: false }],
  [
    "a backup of a credential that cannot be backed up",
    { isBackupEligible: false, isBackedUp: true },
  ],
  ["an empty credential id", { credentialId: Buffer.alloc(0) }],
  ["a credential id of 1 024 bytes", { credentialId: Buffer.alloc(1024, 1) }],
  [
    "an algorithm that was not offered",
    {
      publicKey: cbor(
        new Map([
          [1, 2],
          [3, -35],
        ]),
      ),
    },
  ],
  ["a key without an algorithm", { publicKey: cbor(new Map([[1, 2]])) }],
  ["a key that is not a map", { publicKey: cbor([1, 2]) }],
  ["a key that breaks off", { publicKey: coseKey(p384, "ES256").subarray(0, 20) }],
  ["bytes after the key", { publicKey: Buffer.concat([coseKey(p384, "ES256"), Buffer.alloc(1)]) }],
  ["an unrequested attestation", { attestation: { fmt: "packed", attStmt: certified } }],
  ["an attestation of a phone", { attestation: { fmt: "android-key", attStmt: certified } }],
  ["an attestation of an unknown kind", { attestation: { fmt: "own", attStmt: new Map() } }],
  ["a statement for the format none", { attestation: { fmt: "none", attStmt: certified } }],
  ["no CBOR", { attestationObject: Buffer.alloc(0) }],
  ["CBOR of another shape", { attestationObject: cbor("none") }],
  ["CBOR without the parts", { attestationObject: cbor(new Map([["fmt", "none"]])) }],
  ["CBOR that breaks off", { attestationObject: Buffer.from("a363666d74646e6f6e65", "hex") }],
  ["CBOR without an end", { attestationObject: Buffer.from("bfffffff", "hex") }],
  [
    "a list of the greatest length",
    { attestationObject: Buffer.from("9bffffffffffffffff", "hex") },
  ],
  [
    "a text of the greatest length",
    { attestationObject: Buffer.from("7bffffffffffffffff", "hex") },
  ],
  ["CBOR nested deep", { attestationObject: Buffer.alloc(9_000, 0x81) }],
  ["ten kilobytes of CBOR", { attestationObject: Buffer.alloc(10_000, 0x81) }],
])("%s is refused quickly", async (_, knobs) => {
  const options = await ada.creationOptions();
  const authenticator = atDashboard();
  const credential = authenticator.create(options, knobs);
  const spent = await processorMs(async () => expectUnverified(await send(credential)));
  expect(spent).toBeLessThan(1_000);
  expect((await ada.add(atDashboard())).status).toBe(201);
});

test("a key may attest itself, but no other attestation is accepted", async () => {
  expect((await ada.add(atDashboard(), { attestedBy: "itself" })).status).toBe(201);
  const publicKey = coseKey(p256, "ES256");
  expectUnverified(await ada.add(atDashboard(), { attestedBy: "itself", publicKey }));
  expectUnverified(await ada.add(atDashboard(), { attestedBy: await newAttester() }));
});

test("client data may hold unknown members, up to a limit", async () => {
  const later = (length: number) => ({ clientData: { later: "x".repeat(length) } });
  expect((await ada.add(atDashboard(), later(3_000))).status).toBe(201);
  // Bodies of accounts end at 16 384 bytes.
  expect((await ada.add(atDashboard(), later(13_000))).status).toBe(413);
});

test("a credential whose id differs from the signed one is refused", async () => {
  const credential = atDashboard().create(await ada.creationOptions());
  const id = randomBytes(32).toString("base64url");
  expectUnverified(await send({ ...credential, id }));
  const other = atDashboard().create(await ada.creationOptions());
  expectUnverified(await send({ ...other, id, rawId: id }));
});

test("a challenge works once, for its account, for five minutes", async () => {
  const bob = await server.person();
  const options = await ada.creationOptions();
  expectUnverified(await send(atDashboard().create(options), bob));
  expect((await send(atDashboard().create(options))).status).toBe(201);
  expectUnverified(await send(atDashboard().create(options)));
  const late = await ada.creationOptions();
  server.clock.moveOn(300);
  expectUnverified(await send(atDashboard().create(late)));
});

test("a failed verification consumes the challenge", async () => {
  const options = await ada.creationOptions();
  expectUnverified(await send(atDashboard().create(options, { isUserVerified: false })));
  expectUnverified(await send(atDashboard().create(options)));
});

test("the challenge for signing in adds no passkey", async () => {
  const { challenge } = await server.requestOptions();
  expectUnverified(
    await send(atDashboard().create({ ...(await ada.creationOptions()), challenge })),
  );
});

test("exactly one of twenty concurrent uses of a challenge succeeds", async () => {
  const options = await ada.creationOptions();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => send(atDashboard().create(options))),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const reply of replies.filter(({ status }) => status !== 201)) expectUnverified(reply);
});

test("a credential that an account already has is refused, for it and for others", async () => {
  const bob = await server.person();
  const credentialId = randomBytes(32);
  expect((await ada.add(atDashboard(), { credentialId })).status).toBe(201);
  expectUnverified(await ada.add(atDashboard(), { credentialId }));
  expectUnverified(await bob.add(atDashboard(), { credentialId }));
});

test("one of two accounts that add the same credential concurrently gets it", async () => {
  const bob = await server.person();
  const credentialId = randomBytes(32);
  const replies = await Promise.all(
    [ada, bob].map((person) => person.add(atDashboard(), { credentialId })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
});

test("well-formed transports are kept, and the options offer the known ones", async () => {
  const { response, ...credential } = atDashboard().create(await ada.creationOptions());
  const transports = ["hybrid", "new-one", "\u0000", "<b>", "", ...Array(100).fill("usb")];
  expect((await send({ ...credential, response: { ...response, transports } })).status).toBe(201);
  const { excludeCredentials } = await ada.creationOptions();
  // Of those that are kept, the options have the ones that WebAuthn knows.
  const known = ["hybrid", ...Array(8).fill("usb")];
  expect(excludeCredentials).toMatchObject([{ id: credential.id, transports: known }]);
  const kept = await server.services.db.query("select transports from service.passkeys");
  expect(kept).toContainEqual({ transports: ["hybrid", "new-one", ...Array(8).fill("usb")] });
});

test.each<[string, unknown, readonly string[]]>([
  ["nothing", undefined, ["credential"]],
  ["null", null, ["credential"]],
  ["a list", [], ["credential"]],
  [
    "without an attestation",
    { ...shell(), response: { clientDataJSON: "" } },
    ["credential.response.attestationObject"],
  ],
  [
    "bytes as a list",
    { ...shell(), response: { ...shell().response, clientDataJSON: [1] } },
    ["credential.response.clientDataJSON"],
  ],
  [
    "with transports that are not a list",
    { ...shell(), response: { ...shell().response, transports: "usb" } },
    ["credential.response.transports"],
  ],
])("a credential that is %s is 422", async (_, credential, expected) => {
  expect(paths(await send(credential))).toEqual(expected);
});

test("bodies are strict", async () => {
  expect(paths(await ada.client.post("/auth/passkeys/options", { later: 1 }))).toEqual(["later"]);
  const credential = atDashboard().create(await ada.creationOptions());
  expect(paths(await ada.client.post("/auth/passkeys", { credential, later: 1 }))).toEqual([
    "later",
  ]);
});

test("any changed bytes make an addition fail in the same way", async () => {
  const change = fc.record({
    key: fc.constantFrom("clientDataJSON", "attestationObject"),
    at: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ key, at, flip }) => {
      const credential = atDashboard().create(await ada.creationOptions());
      const reply = await send(changed(credential, key, at, flip));
      // Nothing is signed here: bytes of the key, the counter or the authenticator's model may be any.
      if (reply.status !== 201) expectUnverified(reply);
      else await ada.client.delete(`/auth/passkeys/${(reply.body as { id: string }).id}`);
    }),
    { numRuns: tries(150) },
  );
});

function changed(
  credential: RegistrationResponseJSON,
  key: "clientDataJSON" | "attestationObject",
  at: number,
  flip: number,
): RegistrationResponseJSON {
  const bytes = Buffer.from(credential.response[key], "base64url");
  const place = at % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(place) ^ flip, place);
  return {
    ...credential,
    response: { ...credential.response, [key]: bytes.toString("base64url") },
  };
}

/** What has the shape of a credential. */
function shell() {
  return {
    id: "",
    rawId: "",
    type: "public-key",
    response: { clientDataJSON: "", attestationObject: "" },
  };
}
