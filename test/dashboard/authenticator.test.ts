import { text } from "node:stream/consumers";
import { generateSync } from "otplib";
import { expect } from "vitest";
import { keepCodes, scan } from "./pages/second-step.js";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "an authenticator is set up from the picture, and asked for at the next sign-in",
  async ({ stage, open }) => {
    const person = await stage.person("Margaret Peacock");
    const visit = await open({ as: person, at: "/account/second-step" });
    const { page, context } = visit;
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await page.getByLabel("Your password").fill("wrong");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This password is wrong").waitFor();
    const uri = await scan(page);
    const secret = uri.searchParams.get("secret") ?? "";
    expect(uri.searchParams.get("issuer")).toBe("Shop");
    expect((await page.getByRole("code").textContent())?.replaceAll(" ", "")).toBe(secret);
    await visit.rest();
    await page.getByLabel("Code from the app").fill(generateSync({ secret }));
    await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
    await visit.rest();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as file" }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("Shop backup codes.txt");
    const kept = await text(await file.createReadStream());
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(kept);
    await page.evaluate("printed = 0; print = () => { printed += 1; }");
    await page.getByRole("button", { name: "Print" }).click();
    await expect.poll(() => page.evaluate("printed")).toBe(1);
    // On paper: whose codes they are, the codes, and nothing to press.
    await page.emulateMedia({ media: "print" });
    const whose = `Backup codes for Shop, ${person.email}, `;
    expect(await page.getByText(whose).isVisible()).toBe(true);
    expect(await page.getByRole("button").or(page.getByRole("link")).count()).toBe(0);
    await page.emulateMedia({ media: null });
    const codes = await keepCodes(page);
    expect(codes).toHaveLength(10);
    const [first = "", ...lines] = kept.trim().split("\n");
    expect(first).toContain(whose);
    expect(lines.slice(1)).toEqual(codes);

    const other = await open();
    await other.page.goto("/account/profile");
    await signIn(other.page, person.email);
    await other.page.getByRole("heading", { name: "One more step" }).waitFor();
    await other.page.getByLabel("Code").fill("000000");
    await other.page.getByText("Codes change every 30 seconds").waitFor();
    await other.page.getByText("4 attempts and").waitFor();
    await other.rest();
    await other.page.reload();
    await stage.mailAfter(person.email, () =>
      other.page.getByRole("button", { name: /Email a code to m•••@example.com/ }).click(),
    );
    await other.page.getByRole("button", { name: "Use a backup code" }).click();
    await other.page.getByLabel("Backup code").fill(codes[0] ?? "");
    await other.page.getByRole("button", { name: "Confirm" }).click();
    await other.page.getByRole("heading", { name: "Profile" }).waitFor();
  },
);
