import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp } from "./service.js";

let root: string;

beforeEach(async () => {
  root = await starterApp();
  const view = "fields:\n  view: { type: image, profile: panorma }\n";
  writeFileSync(join(root, "resources/sights.yaml"), view);
});
afterEach(() => removeAppFolder(root));

const panorama = "uploads:\n  profiles:\n    panorama: { width: 3000, height: 800 }\n";

test("an unknown image profile is a problem with its place and the intended name", async () => {
  appendFileSync(join(root, "service.yaml"), panorama);
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'resources/sights.yaml:2:33: there is no image profile "panorma"\n  hint: did you mean "panorama"?',
  );
});

test("an image profile of service.yaml is known, even if variables of the file are not set", async () => {
  const waiting = `${panorama}mailer: { driver: smtp, url: "\${MAIL}" }\ncolour: red\n`;
  appendFileSync(join(root, "service.yaml"), waiting.replace("panorama", "panorma"));
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("without service.yaml there are the built-in profiles", async () => {
  rmSync(join(root, "service.yaml"));
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("the profiles are default, product, avatar and cover");
});

test("a service.yaml that cannot be read leaves profiles unchecked, and a remark says it", async () => {
  writeFileSync(join(root, "service.yaml"), "uploads: [");
  expect(await service(root, ["generate"])).toMatchObject({
    exitCode: 0,
    stderr: "service.yaml cannot be read; the profiles of image fields are not checked",
  });
});
