import { supportedMimeTypes } from "file-type";
import { expect, test } from "vitest";
import { isCompatible } from "../../../../runtime/uploads/inspect/family.js";
import { bareType } from "../../../../runtime/uploads/inspect/media-type.js";
import { isWellKnown } from "../../../../runtime/uploads/inspect/well-known.js";
import { isRunByBrowsers } from "../../../../runtime/values/files/browser-types.js";

test("these detectable types are executed by browsers", () => {
  expect([...supportedMimeTypes].filter(isRunByBrowsers).sort()).toEqual([
    "application/vnd.ms-htmlhelp",
    "application/wasm",
    "application/x-google-chrome-extension",
    "application/x-shockwave-flash",
    "application/x-xpinstall",
    "application/xml",
  ]);
});

/** Whoever adds one to `detectable.ts` looks whether a browser runs it. A gzip may be what is unheard of. */
test("every detectable type has been reviewed", () => {
  expect(isCompatible("application/gzip", "application/x-unheard-of")).toBe(true);
  const types = [...supportedMimeTypes].map(bareType);
  expect(types.filter((type) => isCompatible("application/gzip", type))).toEqual([
    "application/gzip",
  ]);
});

test("every detectable type is well known by its extension", () => {
  const types = [...supportedMimeTypes].map(bareType);
  const alike = ["application/pgp-encrypted", "application/x-ms-regedit", "model/stl"];
  expect(types.filter((type) => !isWellKnown(type)).sort()).toEqual(alike);
});

test.each(["image/svg+xml", "application/rss+xml", "message/rfc822", "multipart/related"])(
  "%s is executed by browsers by its form",
  (type) => {
    expect(isRunByBrowsers(type)).toBe(true);
  },
);
