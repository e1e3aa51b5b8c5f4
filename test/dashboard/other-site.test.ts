import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

journey(
  "a page of another site signs no user in or out, and no page shows the dashboard in a frame",
  async ({ stage, open, notByTouch }) => {
    notByTouch("its pages are those of an attacker, in windows of their own");
    const person = await stage.person("Eve Evil");
    const site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Evil</title>");
    });
    // Another origin, and for cookies another site than `localhost`.
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    const evil = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const send = (method: string, body: object | null) => `
      fetch("${stage.url}/api/auth/token", {
        method: "${method}", mode: "no-cors", credentials: "include",
        headers: { "Content-Type": "text/plain" },
        body: ${body === null ? "undefined" : JSON.stringify(JSON.stringify(body))},
      }).then(({ type }) => type, () => "blocked")`;

    // Nobody is signed in: the attacker's account would be.
    const fresh = await stage.browser.newContext();
    const page = await fresh.newPage();
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(stage.url)) statuses.push(response.status());
    });
    await page.goto(evil);
    expect(await page.evaluate(send("POST", { email: person.email, password }))).toBe("opaque");
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${stage.url}/api/auth/token">
        <input name='{"email":"${person.email}","password":"${password}","x":"' value='"}'>
        <button>Win</button>
      </form>`,
    );
    await page.getByRole("button").click();
    await page.waitForURL(`${stage.url}/**`);
    expect(statuses).toEqual([403, 403]);
    expect(await fresh.cookies()).toEqual([]);

    // In a frame nothing of the dashboard is shown.
    await page.goto(evil);
    await page.setContent(`<iframe src="${stage.url}/sign-in"></iframe>`);
    await page.waitForLoadState("networkidle");
    expect(await page.frameLocator("iframe").getByRole("heading").count()).toBe(0);
    await fresh.close();

    // Somebody is signed in, and stays so.
    const visit = await open({ as: person, at: "/account/devices" });
    const cookies = await visit.context.cookies(stage.url);
    const victim = await stage.browser.newContext();
    await victim.addCookies(cookies);
    const lure = await victim.newPage();
    await lure.goto(evil);
    // A DELETE asks first, and a POST that pretends is none.
    expect(await lure.evaluate(send("DELETE", null))).toBe("blocked");
    await victim.close();
    await visit.page.reload();
    await visit.page.getByText("this device").waitFor();
    site.closeAllConnections();
    site.close();
  },
);
