import { expect, test } from "vitest";
import { filePath } from "../../../runtime/dashboard/web/api/records/descriptors.js";

const folder = "documents/scan/2026/11";
const files = "/api/_service/files";
const signed = "until=1795649460&signature=EUkVK4Y2PoCvai6Av-Bj3z3G9wICS6jJ1F0cvtlmbE8";

test("a public file is shown by its key, regardless of the host of its address", () => {
  const url = `https://files.example.com/${folder}/1-a.webp`;
  const thumb = { url: `https://files.example.com/${folder}/1-a.thumb.webp` };
  const details = { key: `${folder}/1-a.webp`, url, renditions: { thumb } };
  expect(filePath(details)).toBe(`${files}/${folder}/1-a.webp`);
  expect(filePath(details, "thumb")).toBe(`${files}/${folder}/1-a.thumb.webp`);
  expect(filePath({ ...details, renditions: {} }, "thumb")).toBe(`${files}/${folder}/1-a.webp`);
});

test("a private file is shown by its signed address, and by this server", () => {
  const details = {
    key: `${folder}/1-a.webp`,
    url: `${files}/${folder}/1-a.webp?${signed}`,
    renditions: { thumb: { url: `${files}/${folder}/1-a.thumb.webp?${signed}x` } },
  };
  expect(filePath(details)).toBe(`${files}/${folder}/1-a.webp?${signed}&redirect=false`);
  expect(filePath(details, "thumb")).toBe(
    `${files}/${folder}/1-a.thumb.webp?${signed}x&redirect=false`,
  );
  expect(filePath(details, "large")).toBe(`${files}/${folder}/1-a.webp?${signed}&redirect=false`);
});

test("a file of which only the key is known may be private, and is sent by this server", () => {
  const details = { key: `${folder}/1-a.webp`, renditions: {} };
  expect(filePath(details)).toBe(`${files}/${folder}/1-a.webp?redirect=false`);
  expect(filePath(details, "thumb")).toBe(`${files}/${folder}/1-a.webp?redirect=false`);
});
