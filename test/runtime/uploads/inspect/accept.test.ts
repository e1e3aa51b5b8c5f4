import { expect, test } from "vitest";
import { acceptsType } from "../../../../runtime/uploads/inspect/accept.js";
import { wordDocument } from "./samples.js";

test.each([
  [null, "application/x-msdownload", "a.exe"],
  [["image/png"], "image/png", "a"],
  [["image/*"], "image/webp", "a.webp"],
  [["application/pdf", "image/*"], "image/png", "a.png"],
  [["image/jpg"], "image/jpeg", "a.jpg"],
  [["audio/mp3"], "audio/mpeg", "a"],
  [["application/x-zip-compressed"], "application/zip", "a.zip"],
  [["text/plain"], "text/plain", "a.csv"],
  [["text/*"], "text/plain", "a.json"],
  [["text/csv"], "text/plain", "A.CSV"],
  [["application/json"], "text/plain", "a.json"],
  [["application/msword"], "application/x-cfb", "a.doc"],
  [[wordDocument], "application/zip", "a.docx"],
  [[wordDocument], wordDocument, "a"],
  [["video/mp4"], "video/quicktime", "a.mp4"],
] as const)("%j accepts %s named %s", (accept, type, name) => {
  expect(acceptsType(accept, type, name)).toBe(true);
});

test.each([
  [[], "image/png", "a.png"],
  [["image/*"], "application/pdf", "a.pdf"],
  [["image/*"], "text/plain", "a.dxf"],
  [["image/png"], "image/jpeg", "a.png"],
  [["text/csv"], "text/plain", "a.txt"],
  [["text/csv"], "text/plain", "csv"],
  [["application/json"], "text/plain", "a.csv"],
  [["application/json"], "application/zip", "a.json"],
  [["application/msword"], "application/x-cfb", "a.xls"],
  [[wordDocument], "application/zip", "a.zip"],
  [["application/zip"], wordDocument, "a.docx"],
  [["text/plain"], "application/pdf", "a.txt"],
] as const)("%j does not accept %s named %s", (accept, type, name) => {
  expect(acceptsType(accept, type, name)).toBe(false);
});
