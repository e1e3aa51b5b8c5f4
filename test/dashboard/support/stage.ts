import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";
import { type Config, readConfig, readEnvironment } from "../../../runtime/config/index.js";
import { newDashboardServer } from "../../../runtime/dashboard/index.js";
import { addAccount, newSession } from "../../support/accounts/accounts.js";
import { type MailServer, startMailServer } from "../../support/accounts/smtp.js";
import { type FixtureApp, type RunningApp, startApp } from "../../support/apps/app.js";
import { startWrittenApp, type WrittenFiles } from "../../support/apps/written-app.js";
import { withVariables } from "../../support/processes/environment.js";
import { type Letter, nextMail } from "./mails.js";

/** An app with its dashboard, its emails and a browser, for many journeys. */
export interface Stage {
  /** `http://localhost:<port>`: passkeys need a name. */
  readonly url: string;
  readonly app: Pick<RunningApp, "url" | "token" | "db">;
  readonly mails: MailServer;
  readonly browser: Browser;
  /** A new account of that name, whose password is `password`. */
  person(name: string, role?: string | null): Promise<Person>;
  /** The cookie of somebody who signs in by password, without a window; from a browser that calls itself that. */
  cookieOf(person: Person, browserName?: string): Promise<string>;
  /** Does something, and waits for the email to that address that follows from it. */
  mailAfter(to: string, work: () => Promise<unknown>): Promise<Letter>;
  close(): Promise<void>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Nobody else has it in this process: `laura.callahan.7@example.com`. */
  readonly email: string;
}

export const password = "correct horse battery staple";

const shared = new Map<string, Promise<Stage>>();

/**
 * The stage of an app for all test files that run in this process, one after the other. It goes with the process,
 * as its database goes with the PostgreSQL of the run.
 */
export function stageOf(app: FixtureApp): Promise<Stage> {
  return sharedStage(app, () => openStage(app));
}

/** The same for a stage that is opened in some other way. */
export function sharedStage(name: string, open: () => Promise<Stage>): Promise<Stage> {
  const found = shared.get(name) ?? open();
  shared.set(name, found);
  return found;
}

let browser: Promise<Browser> | undefined;

function sharedBrowser(): Promise<Browser> {
  const url = inject("browserUrl");
  if (url === null) throw new Error("there is no Chromium");
  browser ??= chromium.connect(url);
  return browser;
}

let people = 0;

/** A stage of a test's own, where it changes what others would stumble over. */
export function openStage(
  name: FixtureApp,
  environment: Readonly<Record<string, string>> = {},
  fill?: (app: RunningApp) => Promise<void>,
): Promise<Stage> {
  return stageAround((variables) =>
    withVariables({ ...variables, ...environment }, async () => {
      const root = new URL(`../../../fixtures/${name}`, import.meta.url).pathname;
      const app = await startApp(name);
      await fill?.(app);
      const { databaseUrl } = app;
      const config = readConfig({ root, environment: readEnvironment(root), databaseUrl });
      return { ...app, root, config };
    }),
  );
}

/** The same with an app of descriptors that a test has written. */
export function openWrittenStage(files: WrittenFiles): Promise<Stage> {
  return stageAround(async (variables) => {
    const app = await startWrittenApp({ ...files, variables, parent: inject("runFolder") });
    const admin = await app.caller("admin");
    return { ...app, token: await newSession(app.db, admin.id) };
  });
}

interface StagedApp extends Pick<RunningApp, "url" | "token" | "db" | "close"> {
  readonly root: string;
  readonly config: Config;
}

async function stageAround(
  start: (variables: Readonly<Record<string, string>>) => Promise<StagedApp>,
): Promise<Stage> {
  const place = await heldPort();
  const { port } = place.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const mails = await startMailServer();
  const proxySecret = "a secret of the tests, thirty-two bytes";
  const app = await start({
    // Its files go with the run.
    TMPDIR: inject("runFolder"),
    SERVICE_WEB_URL: url,
    SERVICE_PROXY_SECRET: proxySecret,
    SERVICE_MAIL_URL: mails.url,
    SERVICE_MAIL_FROM: "Shop <no-reply@example.com>",
    SERVICE_REGISTRATION: "true",
  });
  const { root, config } = app;
  const dashboard = newDashboardServer({
    apiUrl: () => app.url,
    webUrl: url,
    proxySecret,
    trustProxy: 0,
    look: config.look,
    root,
  });
  dashboard.listen(place);
  await once(dashboard, "listening");

  return {
    url,
    app,
    mails,
    browser: await sharedBrowser(),
    async person(fullName, role = null) {
      people += 1;
      const email = `${fullName.toLowerCase().replaceAll(" ", ".")}.${people}@example.com`;
      const id = await addAccount(app.db, { email, password, role, name: fullName });
      return { id, name: fullName, email };
    },
    async cookieOf({ email }, browserName = "tests") {
      const answer = await fetch(`${url}/api/auth/token`, {
        method: "POST",
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "user-agent": browserName,
        },
        body: JSON.stringify({ email, password }),
      });
      const [cookie = ""] = answer.headers.getSetCookie();
      const value = /^service_token=([^;]+);/.exec(cookie)?.[1];
      if (value === undefined) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
      return value;
    },
    async mailAfter(to, work) {
      const already = mails.mails.length;
      await work();
      return nextMail(mails, to, already);
    },
    async close() {
      dashboard.close();
      dashboard.closeAllConnections();
      await app.close();
      await mails.close();
    },
  };
}

/** A port that nobody else gets until the dashboard takes it over: its address is needed before it can be started. */
async function heldPort(): Promise<Server> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
