import jsqr from "jsqr";
import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { password } from "../support/stage.js";

// `jsqr` is a CommonJS module that calls its function `default`.
const readQrCode = jsqr as unknown as typeof jsqr.default;

/** On the account's second step: gives the password, and reads the QR picture as a phone would. */
export async function scan(page: Page): Promise<URL> {
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const picture = await page.getByRole("img", { name: /^QR code/ }).screenshot();
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const read = readQrCode(new Uint8ClampedArray(data), info.width, info.height);
  return new URL(read?.data ?? "none:");
}

/** Sets an authenticator up from the start, and answers its backup codes. */
export async function setUpAuthenticator(page: Page): Promise<readonly string[]> {
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const secret = (await scan(page)).searchParams.get("secret") ?? "";
  await page.getByLabel("Code from the app").fill(generateSync({ secret }));
  return keepCodes(page);
}

/** Reads the backup codes that are shown, says that they are kept, and continues. */
export async function keepCodes(page: Page): Promise<readonly string[]> {
  await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
  const codes = await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").all();
  const texts = await Promise.all(codes.map((code) => code.innerText()));
  await page.getByLabel("I have saved them in a safe place").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Turn off…" }).waitFor();
  return texts;
}
