import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { reading } from "../../../../../runtime/uploads/image/rules/refuse.js";
import { pictureFolder } from "../../../../support/pictures/pictures.js";

let folder: Awaited<ReturnType<typeof pictureFolder>>;
let path: string;

beforeAll(async () => {
  folder = await pictureFolder();
  path = await folder.write(Buffer.from("a"));
});
afterAll(() => folder.remove());

function outcomeOf(thrown: unknown, at = path): Promise<unknown> {
  return reading(at, () => Promise.reject(thrown)).catch((error) => error);
}

test("any error of a library is a refusal", async () => {
  for (const words of [
    "Input file contains unsupported image format",
    "VipsJpeg: read error",
    "",
  ]) {
    expect(await outcomeOf(new Error(words))).toEqual(
      new Refusal("INVALID", { error: "The picture is damaged, or of an unsupported kind" }),
    );
  }
});

test.each([
  ["a refusal", new Refusal("UNAVAILABLE")],
  ["a mistake of our own", new TypeError("x is not a function")],
  ["a lack of memory", new RangeError("Array buffer allocation failed")],
  ["a lack of memory of libvips", new Error("vips_tracked: out of memory -- size == 400MB")],
  ["a lack of file handles", new Error("unable to open for read\nunix error: Too many open files")],
  ["an error of the system", Object.assign(new Error("EMFILE"), { syscall: "open" })],
])("%s is passed on", async (_, thrown) => {
  expect(await outcomeOf(thrown)).toBe(thrown);
});

test("a missing file is not refused", async () => {
  expect(await outcomeOf(new Error("Input file is missing"), `${path}-gone`)).toMatchObject({
    code: "ENOENT",
  });
});
