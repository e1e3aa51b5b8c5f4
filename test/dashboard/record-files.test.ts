import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, onTestFinished } from "vitest";
import { api, makeProduct, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function choose(page: Page, button: string, file: Chosen): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles(file);
}

/** One that is not sent in a single breath: noise cannot be compressed. */
const largePicture = async (): Promise<Chosen> => ({
  name: "noise.png",
  mimeType: "image/png",
  buffer: await sharp(randomBytes(3_000_000), { raw: { width: 1_000, height: 1_000, channels: 3 } })
    .png()
    .toBuffer(),
});

/** A server that reads so many bytes of a request and is gone. */
async function cuttingServer(bytes: number) {
  let cuts = 0;
  const server = createServer((socket) => {
    let read = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      read += chunk.length;
      if (read < bytes || socket.destroyed) return;
      cuts += 1;
      socket.resetAndDestroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, cuts: () => cuts };
}

const picture = async (): Promise<Chosen> => ({
  name: "marmalade front.png",
  mimeType: "image/png",
  buffer: await sharp({ create: { width: 64, height: 48, channels: 3, background: "#a33" } })
    .png()
    .toBuffer(),
});

journey(
  "a picture is sent with its progress, shown, saved and removed again",
  async ({ stage, open }) => {
    const as = await stage.person("Painter", "editor");
    const product = await makeProduct(stage);
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/_service/uploads/**", async (route) => {
      await held;
      await route.continue();
    });
    await choose(page, "Choose a file: Image", await picture());
    await page.getByRole("progressbar", { name: "Uploading marmalade front.png" }).waitFor();
    expect(await page.getByText("Waiting for other uploads").count()).toBe(0);
    await page.getByText("Wait until the file is uploaded").last().waitFor();
    expect(
      await page.getByRole("button", { name: "Save", exact: true }).getAttribute("aria-disabled"),
    ).toBe("true");
    await visit.rest();
    // A phone says it too.
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByText("Wait until the file is uploaded").last().waitFor();
    if (size !== null) await page.setViewportSize(size);
    release();
    await page.getByRole("link", { name: "marmalade front.png" }).waitFor();
    await save(page);
    await page.getByText(`${product.name} saved`).waitFor();
    const { body } = await api(stage, "GET", `/products/${product.id}`);
    expect(body).toMatchObject({ imageFile: { name: "marmalade front.png", mime: "image/webp" } });
    await visit.rest();
    await page.getByRole("button", { name: "Remove: Image" }).click();
    await save(page);
    await page.getByText("1 field changed").waitFor({ state: "detached" });
    expect((await api(stage, "GET", `/products/${product.id}`)).body).toMatchObject({
      image: null,
    });
  },
);

journey(
  "a file that its field does not accept is refused before a byte is sent",
  async ({ stage, open }) => {
    const as = await stage.person("Careful", "editor");
    const product = await makeProduct(stage);
    const { page } = await open({ as, at: `/data/products/${product.id}` });
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") sent += 1;
    });
    const text = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") };
    await choose(page, "Choose a file: Image", text);
    await page.getByText(/^This file is not accepted. Use JPEG/).waitFor();
    await choose(page, "Choose another", {
      ...(await picture()),
      buffer: Buffer.alloc(10_485_761, 1),
    });
    await page.getByText("10.5 MB is too large: at most 10.5 MB.").waitFor();
    await choose(page, "Choose a file: Manual", {
      ...text,
      mimeType: "application/pdf",
      buffer: Buffer.alloc(0),
    });
    await page.getByText("This file is empty.").waitFor();
    expect(sent).toBe(0);
  },
);

journey(
  "an upload that breaks off is retried, and a proxy's page becomes a sentence",
  async ({ stage, open }) => {
    const as = await stage.person("Patient", "editor");
    const product = await makeProduct(stage);
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    visit.allow(/net::ERR_/);
    const large = await largePicture();
    const cutting = await cuttingServer(large.buffer.length / 2);
    await page.route("**/_service/uploads/**", (route) =>
      route.continue({ url: route.request().url().replace(stage.url, cutting.url) }),
    );
    await choose(page, "Choose a file: Image", large);
    await page.getByText("The upload was interrupted. The file is still selected.").waitFor();
    expect(cutting.cuts()).toBeGreaterThan(0);
    await visit.rest();
    await page.unroute("**/_service/uploads/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: large.name }).waitFor();
    const stored = "select key from service.uploads where user_id = $1";
    expect(await stage.app.db.query(stored, [as.id])).toHaveLength(1);
    await page.route("**/_service/uploads/**", (route) =>
      route.fulfill({
        status: 413,
        contentType: "text/html",
        body: "<h1>413 Request Entity Too Large</h1>",
      }),
    );
    await choose(page, "Replace: Image", await picture());
    await page
      .getByText("The request is too large for the proxy in front of the server (413).")
      .waitFor();
    await page.unroute("**/_service/uploads/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "marmalade front.png" }).waitFor();
    // What is no picture is found out by the API, and said at its place.
    const fake = { name: "fake.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
    await choose(page, "Replace: Image", fake);
    await page.getByRole("group", { name: "Image" }).getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "marmalade front.png" }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
  },
);

journey("the focus stays with the file's field, whatever the outcome", async ({ stage, open }) => {
  const as = await stage.person("Keys Only", "editor");
  const product = await makeProduct(stage);
  const { page } = await open({ as, at: `/data/products/${product.id}` });
  const focused = (name: string) =>
    page
      .getByRole("group", { name: "Image" })
      .getByRole("button", { name })
      .and(page.locator(":focus"))
      .waitFor();
  let answer = (_status: number) => {};
  await page.route("**/_service/uploads/**", async (route) => {
    const status = await new Promise<number>((resolve) => {
      answer = resolve;
    });
    if (status === 201) await route.continue();
    else await route.fulfill({ status, contentType: "text/html", body: "<h1>No</h1>" });
  });
  const sent = () => page.waitForRequest((request) => request.method() === "PUT");
  const first = sent();
  await choose(page, "Choose a file: Image", await picture());
  await focused("Cancel");
  await first;
  answer(413);
  await focused("Try again");
  const second = sent();
  await page.keyboard.press("Enter");
  await focused("Cancel");
  await second;
  answer(201);
  await focused("Replace: Image");
  const text = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") };
  await choose(page, "Replace: Image", text);
  await focused("Choose another");
  await page.getByRole("button", { name: "Cancel", exact: true }).focus();
  await page.keyboard.press("Enter");
  await focused("Replace: Image");
  await page.getByRole("button", { name: "Remove: Image" }).focus();
  await page.keyboard.press("Enter");
  await focused("Choose a file: Image");
});
