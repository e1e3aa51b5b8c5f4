import { expect, test } from "vitest";
import { endOf, signedQuery, soundUntil } from "../../../runtime/uploads/sign/signature.js";
import { newSigner } from "../../../runtime/uploads/sign/text.js";

const secret = Buffer.from("a secret of the tests, long enough");
const former = Buffer.from("a former secret of the tests, too");
const secrets = { secret, previousSecret: null };
const now = new Date("2026-11-25T12:00:01.500Z");
const seconds = now.getTime() / 1000;
const key = "documents/scan/2026/11/01a21502-c95c-7451-aac2-9316dc67a702-scan.webp";
const thumb = key.replace(/webp$/, "thumb.webp");

test("an address is valid for at least the configured time, and the same for a tenth of it", () => {
  for (const privateSeconds of [60, 65, 600, 86_400]) {
    const step = Math.ceil(privateSeconds / 10);
    const ends = Array.from({ length: step * 2 }, (_, after) =>
      endOf(new Date(now.getTime() + after * 1000), privateSeconds),
    );
    ends.forEach((end, after) => {
      expect(end).toBeGreaterThanOrEqual(seconds + after + privateSeconds);
      expect(end).toBeLessThan(seconds + after + privateSeconds + step);
    });
    expect(new Set(ends).size).toBeLessThanOrEqual(3);
  }
});

test("a signature of the previous secret is valid as long as that secret is configured", () => {
  const until = endOf(now, 600);
  const query = signedQuery({ secret: former, previousSecret: null }, key, until).slice(1);
  expect(soundUntil({ secret, previousSecret: former }, { key, query }, now)).toBe(until);
  expect(soundUntil(secrets, { key, query }, now)).toBeNull();
});

test("a signature ends with its time", () => {
  const query = signedQuery(secrets, key, 1_800_000_000).slice(1);
  const at = (ms: number) => soundUntil(secrets, { key, query }, new Date(1_800_000_000_000 + ms));
  expect(at(-1)).toBe(1_800_000_000);
  expect(at(0)).toBeNull();
});

const config = { uploads: { privateSeconds: 600 }, ...secrets };
const signer = () => newSigner({ config, clock: { now: () => now } } as never);

/** Details as an upload stores them, with an address at another host, as files have that once were public. */
const details = (name: string, host = "/api/_service/files") =>
  JSON.stringify({
    key,
    url: `${host}/${key}`,
    name,
    mime: "image/webp",
    size: 36,
    optimised: true,
    renditions: { thumb: { url: `${host}/${thumb}`, width: 1, height: 1, size: 36 } },
  });

const addressOf = (of: string) =>
  `/api/_service/files/${of}${signedQuery(config, of, endOf(now, 600))}`;

test.each([
  ["of a row", ":", "/api/_service/files"],
  ["of json_build_object", " : ", "/api/_service/files"],
  ["of a file that was in a bucket for everybody", ":", "https://files.example.com/all"],
])("details %s are signed, and lose their mark", (_, colon, host) => {
  const sign = signer();
  const name = 'a "url":"{x}" \\ }}.png';
  const text = `{"data":[{"scanFile\\t"${colon}${details(name, host)},"a":1},{"scanFile\\t"${colon}null}]}`;
  for (let times = 0; times < 2; times += 1) {
    const { data } = JSON.parse(sign(text));
    expect(data).toEqual([
      {
        scanFile: {
          ...JSON.parse(details(name)),
          url: addressOf(key),
          renditions: { thumb: { url: addressOf(thumb), width: 1, height: 1, size: 36 } },
        },
        a: 1,
      },
      { scanFile: null },
    ]);
  }
});

test("text that a user writes is never signed", () => {
  const sign = signer();
  const texts = [
    "ends in a tab\t",
    `scanFile\t":${details("x")}`,
    `{"scanFile\t":${details("x")}}`,
    `\\t":{"key":"${key}","url":"/api/_service/files/${key}"}`,
    `/api/_service/files/${key}`,
    "\\\\\t",
  ];
  const json = JSON.stringify({ data: texts.map((title) => ({ title, scanFile: details("y") })) });
  expect(sign(json)).toBe(json);
});

test("details that have changed under the same key are signed as they are now", () => {
  const sign = signer();
  const text = (name: string) => `{"scanFile\\t":${details(name)}}`;
  for (const name of ["one.png", "another, longer one.png", "one.png"]) {
    expect(JSON.parse(sign(text(name))).scanFile.name).toBe(name);
  }
});

test("a repeated list is signed until the present end, among more lists than are cached", () => {
  let time = now;
  const sign = newSigner({ config, clock: { now: () => time } } as never);
  const list = (name: string) => {
    const records = Array.from({ length: 50 }, () => `{"scanFile\\t":${details(name)}}`);
    return `{"data":[${records.join(",")}]}`;
  };
  const names = Array.from({ length: 20 }, (_, at) => `${at + 10}.png`);
  expect(list("10.png").length).toBeGreaterThan(16_384);
  for (const ms of [0, 0, 60_000]) {
    time = new Date(now.getTime() + ms);
    const url = `/api/_service/files/${key}${signedQuery(config, key, endOf(time, 600))}`;
    for (const name of names) {
      const { data } = JSON.parse(sign(list(name)));
      expect(data).toHaveLength(50);
      for (const { scanFile } of data) expect(scanFile).toMatchObject({ name, url });
    }
    expect(sign(list("29.png"))).toBe(sign(list("29.png")));
  }
});
