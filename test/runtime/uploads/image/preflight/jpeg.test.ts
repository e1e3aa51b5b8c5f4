import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { preflight } from "../../../../../runtime/uploads/image/preflight/preflight.js";
import { pictureFolder } from "../../../../support/pictures/pictures.js";

let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

const begin = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);

function segment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A scan of so many bytes, with what looks like markers and is none, and a restart. */
function scan(length: number): Buffer {
  const pixels = Buffer.alloc(length, 7);
  pixels.write("\xff\x00\xff\xff\xd0", 5, "latin1");
  return Buffer.concat([segment(0xda, Buffer.alloc(8)), pixels]);
}

async function verdictOn(...parts: readonly Buffer[]): Promise<string> {
  const path = await folder.write(Buffer.concat(parts));
  const outcome = await preflight(path).catch((error) => error);
  return outcome instanceof Refusal ? outcome.message : "fine";
}

const tooMany = "The picture has more than 100 layers";
const damaged = "The picture is damaged, or of an unsupported kind";

test("scans are counted, wherever the chunks that are read end", async () => {
  for (const length of [20, 65_510, 65_520, 65_521, 65_522, 65_523, 65_524, 65_525, 70_000]) {
    const scans = Array.from({ length: 100 }, () => scan(length));
    expect(await verdictOn(begin, ...scans, end)).toBe("fine");
    expect(await verdictOn(begin, ...scans, scan(20), end)).toBe(tooMany);
  }
});

test("scans of a preview and after the end are not counted", async () => {
  const preview = Buffer.concat([begin, ...Array.from({ length: 50 }, () => scan(100)), end]);
  const exif = Array.from({ length: 20 }, () => segment(0xe1, preview));
  expect(await verdictOn(begin, ...exif, scan(100), end, ...exif)).toBe("fine");
});

test("an end mark is required, wherever the chunks that are read end", async () => {
  for (const length of [20, 65_510, 65_518, 65_519, 65_520, 65_521, 65_522, 65_523]) {
    expect(await verdictOn(begin, scan(length), end)).toBe("fine");
    expect(await verdictOn(begin, scan(length), end.subarray(0, 1))).toBe(damaged);
    expect(await verdictOn(begin, scan(length))).toBe(damaged);
  }
});
