import type { Page } from "playwright-core";
import { expect } from "vitest";
import { callback, type DocumentSite, startDocumentSite } from "../support/oauth/documents.js";
import { type Asked, newVerifier, queryOf, sendForm } from "../support/oauth/flow.js";
import { signIn } from "./pages/sign-in.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";
import type { Visit } from "./support/visit.js";

let site: DocumentSite;

const journey = journeyOn(() =>
  sharedStage("apps", async () => {
    site = await startDocumentSite();
    const settings = `auth:
  check_breached_passwords: false
  apps: { allow: ["${site.host}"] }
server: { host: 127.0.0.1, mcp: true }
webhooks: { allow: [127.0.0.1] }
`;
    const descriptors = new Map([["notes.yaml", "fields: { name: { type: string } }\n"]]);
    return openWrittenStage({ descriptors, settings });
  }),
);

const atApp = /^https:\/\/app\.example\.com\//;

/** The app answers for itself: where a browser was sent back to. */
async function beApp({ page, allow }: Visit): Promise<void> {
  allow(atApp);
  await page.route(atApp, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Back at the app</h1>" }),
  );
}

const clientId = (path: string, document: object = {}) => site.publish(path, document);

const asks = (id: string, challenge: string, more: Asked = {}) =>
  `/oauth/authorize?${queryOf(id, challenge, more)}`;

// Written as text, since the types of a browser's page are none of the tests'.
const fontSize = new Function(
  "one",
  "return Number.parseFloat(getComputedStyle(one).fontSize)",
) as () => number;

const backAt = async (page: Page) => {
  await page.waitForURL(atApp);
  return new URL(page.url()).searchParams;
};

journey(
  "a user signs in, sees which app asks, and grants it read access",
  async ({ stage, open }) => {
    const person = await stage.person("Nora Allows");
    const visit = await open();
    const { page } = visit;
    await beApp(visit);
    const id = clientId("/allowed.json", { client_name: "Claude" });
    const { verifier, challenge } = newVerifier();
    await page.goto(asks(id, challenge));
    await signIn(page, person.email);
    await page.getByRole("heading", { name: "Connect an app" }).waitFor();
    const main = page.getByRole("main");
    const size = async (text: string) => main.getByText(text).first().evaluate(fontSize);
    expect(await size(site.host)).toBeGreaterThan(await size("It calls itself “Claude”"));
    expect(await size("app.example.com")).toBe(await size(site.host));
    await main.getByText("create, change and delete").waitFor();
    await visit.rest();
    await page.getByLabel("Allow reading only").check();
    expect(await main.getByText("create, change and delete").count()).toBe(0);
    await visit.rest();
    await page.getByRole("button", { name: "Allow" }).click();
    const answer = await backAt(page);
    expect(answer.get("iss")).toBe(stage.url);
    const tokens = await sendForm(stage.app.url, "/oauth/token", {
      grant_type: "authorization_code",
      code: answer.get("code") ?? "",
      redirect_uri: callback,
      client_id: id,
      code_verifier: verifier,
    });
    expect(tokens.body.scope).toBe("read");

    await page.goto("/account/devices");
    const apps = page.getByRole("region", { name: "Apps" });
    await apps.getByText("Claude, reads only").waitFor();
    await visit.rest();
    await apps.getByRole("button", { name: `Disconnect ${site.host}` }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Disconnect" }).click();
    await apps.getByText("No app is connected.").waitFor();
  },
);

journey(
  "an app that is denied, or sends a wrong request, gets the error",
  async ({ stage, open }) => {
    const person = await stage.person("Otto Denies");
    const visit = await open({ as: person });
    const { page } = visit;
    await beApp(visit);
    const id = clientId("/denied.json");
    const { challenge } = newVerifier();
    await page.goto(asks(id, challenge));
    await page.getByRole("button", { name: "Deny" }).click();
    expect((await backAt(page)).get("error")).toBe("access_denied");
    await page.goto(asks(id, challenge, { code_challenge_method: "plain" }));
    expect((await backAt(page)).get("error")).toBe("invalid_request");
    // The app's page is not one of ours to look at.
    await page.goto("about:blank");
  },
);

journey("an invalid request redirects to no address", async ({ stage, open }) => {
  const person = await stage.person("Petra Doubts");
  const visit = await open({ as: person });
  const { page } = visit;
  visit.allow(/status of 400/);
  const { challenge } = newVerifier();
  const evil = asks(clientId("/evil.json", { client_name: "Claude" }), challenge, {
    redirect_uri: "https://evil.example.com/",
  });
  await page.goto(evil);
  await page.getByRole("heading", { name: "This app cannot be connected" }).waitFor();
  await page.getByText("redirect_uri").waitFor();
  expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
  await visit.rest();
});

journey("a program on this computer is not an app of the same name", async ({ stage, open }) => {
  const person = await stage.person("Quinn Local");
  const visit = await open({ as: person });
  const { page } = visit;
  const redirect = "http://127.0.0.1:4711/callback";
  const id = clientId("/local.json", { redirect_uris: ["http://127.0.0.1/callback"] });
  await page.goto(asks(id, newVerifier().challenge, { redirect_uri: redirect }));
  await page.getByText("this computer", { exact: true }).waitFor();
  await page.getByText("only if you have just started it yourself").waitFor();
  await visit.rest();
});
