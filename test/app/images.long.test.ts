import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { created, expectRefusal, openShop, type Shop } from "../support/apps/shop.js";
import { client, type Row } from "../support/http/client.js";
import { fields } from "../support/pictures/pictures.js";
import { download, upload } from "../support/storage/files.js";
import { putAvatar } from "../support/storage/stored.js";

let shop: Shop;
let photo: Buffer;
let png: Buffer;
beforeAll(async () => {
  shop = await openShop();
  photo = await fields({ width: 2400, height: 1200 }).jpeg().toBuffer();
  png = await fields({ width: 8, height: 8 }).png().toBuffer();
});
afterAll(() => shop.app.close());

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../fixtures/pictures", name));

type Shown = Pick<FileDetails, "url" | "width" | "height" | "size">;

/** What is stored under an address: its format and pixels, as they are. */
async function stored({ url, width, height, size }: Shown) {
  const { status, headers, bytes } = await download(shop.app.url, url);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("image/webp");
  expect(bytes).toHaveLength(size);
  const found = await sharp(bytes).metadata();
  expect(found).toMatchObject({ format: "webp", width, height });
  return found;
}

test("a picture is stored by its profile, with its renditions next to it", async () => {
  const { status, body } = await upload(shop.admin, "products/image", "My photo.JPG", photo);
  expect(status).toBe(201);
  const stem = `${body.key.slice(0, -".webp".length)}`;
  expect(Object.entries(body)).toEqual([
    ["key", expect.stringMatching(/^products\/image\/\d{4}\/\d\d\/[0-9a-f-]{36}-Myphoto\.webp$/)],
    ["url", `/api/_service/files/${body.key}`],
    ["name", "My photo.JPG"],
    ["mime", "image/webp"],
    ["size", expect.any(Number)],
    ["width", 1600],
    ["height", 800],
    ["optimised", true],
    [
      "renditions",
      {
        thumb: {
          url: `/api/_service/files/${stem}.thumb.webp`,
          width: 320,
          height: 160,
          size: expect.any(Number),
        },
      },
    ],
  ]);
  for (const file of [body, ...Object.values(body.renditions)]) {
    await stored(file);
  }
  const product = await created(shop.admin, "products", shop.product("P", { image: body.key }));
  expect(product).toMatchObject({ image: body.key, imageFile: body });

  const { headers } = await download(shop.app.url, body.url);
  expect(headers["content-disposition"]).toBe(
    "inline; filename=\"My photo.webp\"; filename*=UTF-8''My%20photo.webp",
  );
});

test.each([
  ["../../x", "x.webp"],
  [".png", "file.webp"],
  ["no extension", "no extension.webp"],
])("a picture called %j is saved as %j", async (name, saved) => {
  const { body } = await upload(shop.admin, "products/image", name, name === ".png" ? png : photo);
  const { headers } = await download(shop.app.url, body.url);
  expect(headers["content-disposition"]).toContain(`filename="${saved}"`);
});

test("neither the metadata nor the original of a picture is stored", async () => {
  const { body } = await upload(shop.admin, "reviews/photo", "e.jpg", fixture("everything.jpg"));
  const { exif, xmp, iptc, icc, orientation } = await stored(body);
  expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
});

test("a rendition is not a valid value of a field", async () => {
  const { body } = await upload(shop.admin, "products/image", "a.jpg", photo);
  const key = body.renditions.thumb?.url.replace("/api/_service/files/", "");
  const reply = await shop.admin.post("/products", shop.product("R", { image: key }));
  expectRefusal(reply, 422, ["issues"]);
});

const heicError =
  "HEIC pictures are not supported: send the picture as JPEG, PNG or AVIF (on an iPhone: Settings, Camera, Formats, Most Compatible)";

describe("an image field refuses", () => {
  test.each([
    ["text", "a.txt", Buffer.from("text")],
    ["a PDF", "a.pdf", Buffer.from("%PDF-1.7\n%%EOF\n")],
    ["SVG that is called a PNG", "a.png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a PNG's beginning alone", "a.png", Buffer.from("89504e470d0a1a0a", "hex")],
    ["nothing", "a.png", Buffer.alloc(0)],
    ["a picture of a kind that is not shown everywhere", "a.bmp", Buffer.from(bitmap(), "hex")],
  ])("%s", async (_, name, bytes) => {
    expectRefusal(await upload(shop.admin, "products/image", name, bytes), 422);
  });

  test.each([
    ["heic", "mif1heic"],
    ["heix", "mif1"],
    ["heim", "mif1"],
    ["heis", ""],
    ["hevc", "msf1heic"],
    ["hevm", ""],
    ["mif1", "mif1heic"],
    ["mif1", "miafheim"],
    ["msf1", "msf1hevcmif1heiciso8"],
  ])("a HEIC by its name, of brand %s with %s", async (brand, others) => {
    const length = String.fromCharCode(16 + others.length);
    const heic = Buffer.from(`\0\0\0${length}ftyp${brand}\0\0\0\0${others}`, "latin1");
    const reply = await upload(shop.admin, "products/image", "a.heic", heic);
    expectRefusal(reply, 422);
    expect(reply.body).toEqual({
      error: heicError,
    });
  });

  test.each([
    ["mif1", "hvc1"],
    ["msf1", "hvc1"],
    ["mif1", "hev1"],
  ])("a HEIC by its coding, of brand %s alone, as %s", async (brand, code) => {
    const avif = await fields({ width: 64, height: 64 }).avif().toBuffer();
    const text = avif.toString("latin1");
    const end = avif.readUInt32BE(0);
    // As many bytes as before, so that all places in the file stay right.
    const brands = `${text.slice(0, 8)}${brand}${text.slice(12, 16)}${brand.repeat((end - 16) / 4)}`;
    const coded = text.slice(end).replace("av01", code);
    expect(coded).not.toBe(text.slice(end));
    const heic = Buffer.from(brands + coded, "latin1");
    for (const name of ["a.heic", "a.avif"]) {
      const reply = await upload(shop.admin, "products/image", name, heic);
      expectRefusal(reply, 422);
      expect(reply.body, name).toEqual({
        error: heicError,
      });
    }
  });

  test("a picture in a form", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const reply = await upload(shop.admin, "products/image", "a.jpg", photo, headers);
    expectRefusal(reply, 415);
    expect(reply.body).toEqual({ error: "Send the raw file as the body, not a form" });
  });

  test("a truncated picture, and one declared as another type", async () => {
    const half = photo.subarray(0, photo.length / 2);
    expectRefusal(await upload(shop.admin, "products/image", "a.jpg", half), 422);
    expectRefusal(await upload(shop.admin, "products/image", "a.png", photo), 422);
    const headers = { "content-type": "image/gif" };
    expectRefusal(await upload(shop.admin, "products/image", "a.jpg", photo, headers), 422);
  });

  /** One pixel. */
  function bitmap(): string {
    const header = "424d3a000000000000003600000028000000010000000100000001001800000000000400000000";
    return `${header}${"00".repeat(16)}ffffff00`;
  }
});

test("SVG is stored as its rendered picture", async () => {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60" onload="alert(1)"><rect width="120" height="60" fill="red"/></svg>`;
  const { status, body } = await upload(shop.admin, "products/image", "logo.svg", text, {
    "content-type": "image/svg+xml; charset=utf-8",
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "logo.svg", mime: "image/webp", width: 120, height: 60 });
  expect(body.key).toMatch(/-logo\.webp$/);
  const { headers, bytes } = await download(shop.app.url, body.url);
  expect(headers["content-type"]).toBe("image/webp");
  expect(bytes.toString("latin1", 8, 12)).toBe("WEBP");
  const { status: avatar } = await putAvatar(shop.editor, Buffer.from(text), "me.svg");
  expect(avatar).toBe(201);
  for (const [name, type] of [
    ["logo.svg", "image/png"],
    ["logo.xml", undefined],
  ] as const) {
    const headers = type === undefined ? {} : { "content-type": type };
    expectRefusal(await upload(shop.admin, "products/image", name, text, headers), 422);
  }
  expectRefusal(await upload(shop.admin, "reviews/attachment", "logo.svg", text), 422);
});

test("a picture in a file field is stored unchanged", async () => {
  const { body } = await upload(shop.admin, "reviews/attachment", "a.jpg", photo);
  expect(body).toMatchObject({
    mime: "image/jpeg",
    size: photo.length,
    width: null,
    height: null,
    optimised: false,
    renditions: {},
  });
  expect((await download(shop.app.url, body.url)).bytes.equals(photo)).toBe(true);
  const webp = await fields({ width: 8, height: 8 }).webp().toBuffer();
  const { body: other } = await upload(shop.admin, "reviews/attachment", "as it is", webp);
  const { headers } = await download(shop.app.url, other.url);
  expect(headers["content-disposition"]).toContain('filename="as it is"');
});

test("the profiles are listed for every signed-in account", async () => {
  expectRefusal(await shop.anonymous.get("/_service/profiles"), 401);
  const { status, body } = await shop.member.get<{ data: readonly Row[] }>("/_service/profiles");
  expect(status).toBe(200);
  expect(body.data.map(({ name }) => name)).toEqual(["default", "product", "avatar", "cover"]);
  expect(body.data[3]).toEqual({
    name: "cover",
    width: 1600,
    height: 900,
    fit: "cover",
    format: "webp",
    renditions: { thumb: { width: 480, height: 270, fit: "cover" } },
  });
});

describe("an avatar", () => {
  const me = async (caller: Shop["admin"]) =>
    (await caller.get<{ user: Row }>("/auth/me")).body.user;

  test("is the caller's picture at once, exactly 400 by 400 with a thumbnail of 80", async () => {
    const caller = client(shop.app.url, await shop.app.signIn(null));
    const small = await fields({ width: 60, height: 30 }).png().toBuffer();
    const { status, body } = await putAvatar(caller, small);
    expect(status).toBe(201);
    expect(body.key).toMatch(/^users\/avatar\/\d{4}\/\d\d\/[0-9a-f-]{36}-me\.webp$/);
    expect(body).toMatchObject({ width: 400, height: 400, optimised: true });
    expect(body.renditions).toEqual({
      thumb: expect.objectContaining({ width: 80, height: 80 }),
    });
    expect(await me(caller)).toMatchObject({
      avatar: body.key,
      image: body.key,
      avatarFile: body,
    });
    await stored(body);

    expect((await caller.patch("/auth/me", { avatar: null })).status).toBe(200);
    expect(await me(caller)).toMatchObject({ avatar: null, image: null, avatarFile: null });
    const again = await caller.patch<{ user: Row }>("/auth/me", { avatar: body.key });
    expect(again.body.user.avatarFile).toEqual(body);

    const thumb = { avatar: body.key.replace(".webp", ".thumb.webp") };
    expectRefusal(await caller.patch("/auth/me", thumb), 422, ["issues"]);
    expectRefusal(await shop.admin.patch("/auth/me", { avatar: body.key }), 422, ["issues"]);
    const product = shop.product("Avatar", { image: body.key });
    expectRefusal(await shop.admin.post("/products", product), 422, ["issues"]);
  });

  test("needs a token, a name and a picture", async () => {
    expectRefusal(await putAvatar(shop.anonymous), 401);
    expectRefusal(await putAvatar(shop.member, photo, ""), 422, ["issues"]);
    expectRefusal(await putAvatar(shop.member, Buffer.from("text"), "me.txt"), 422);
    const reply = await shop.member.send("POST", "/auth/avatar?name=a.jpg", { text: photo });
    expectRefusal(reply, 405);
    expect(await me(shop.member)).toMatchObject({ avatar: null });
  });

  test("is refused to a service token", async () => {
    const token = await shop.app.signIn(null);
    await shop.app.db.query(
      "update service.sessions set proofs = '{service-token}' where token_hash = sha256($1::text::bytea)",
      [token],
    );
    const robot = client(shop.app.url, token);
    expect(await putAvatar(robot)).toMatchObject({
      status: 403,
      body: { code: "SESSION_NOT_FRESH" },
    });
    expect(await me(robot)).toMatchObject({ avatar: null });
  });

  test("is not an upload to a resource", async () => {
    expectRefusal(await upload(shop.admin, "users/avatar", "me.jpg", photo), 404);
  });
});
