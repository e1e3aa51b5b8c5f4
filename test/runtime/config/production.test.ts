import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

const secret = "0123456789abcdef0123456789abcdef";
const production = { NODE_ENV: "production", SERVICE_SECRET: secret };
const linkless = "auth: { magic_link: false, passkeys: false }\n";

function messagesOf(text: string, environment: Record<string, string>): readonly string[] {
  const root = appFolder({ "service.yaml": text });
  return problemsOf({ root, environment, databaseUrl }).map(({ message }) => message);
}

test("production needs a secret and the dashboard's address", () => {
  expect(messagesOf("", { NODE_ENV: "production" })).toEqual([
    "SERVICE_SECRET must be set in production",
    "SERVICE_WEB_URL must be set in production while auth.magic_link and auth.passkeys are on",
  ]);
});

test("a production without any settings gets every missing one reported", () => {
  const root = appFolder({ "service.yaml": "" });
  const problems = problemsOf({ root, environment: { NODE_ENV: "production" } });
  expect(problems.map(({ message }) => message.split(" ")[0])).toEqual([
    "DATABASE_URL",
    "SERVICE_SECRET",
    "SERVICE_WEB_URL",
  ]);
});

test("production needs no dashboard while nothing links to it", () => {
  expect(messagesOf(linkless, production)).toEqual([]);
  expect(messagesOf("auth: { enabled: false }\n", production)).toEqual([]);
  expect(messagesOf(linkless, { ...production, SERVICE_REGISTRATION: "true" })).toEqual([
    "SERVICE_WEB_URL must be set in production while auth.registration is on",
  ]);
  const operated = linkless.replace(/}\s*$/, ", operators: [admin] }\n");
  expect(messagesOf(operated, production)).toEqual([
    "SERVICE_WEB_URL must be set in production while auth.operators is on",
  ]);
});

test("production warns of a mailer that sends nothing while a feature sends mail", () => {
  const read = (text: string, environment: Record<string, string> = {}) =>
    readConfig({
      root: appFolder({ "service.yaml": text }),
      environment: { ...production, SERVICE_WEB_URL: "https://shop.example", ...environment },
      databaseUrl,
    }).warnings.map(({ message }) => message);
  expect(read("")).toEqual([
    "mailer.driver is none, so no mail is sent, while auth.magic_link, auth.email_code, auth.two_factor.email and the reset of passwords are on",
  ]);
  expect(read("", { SERVICE_MAIL_URL: "smtp://mail.example" })).toEqual([]);
  expect(
    read("auth: { magic_link: false, email_code: false, two_factor: { email: false } }\n"),
  ).toEqual(["mailer.driver is none, so no mail is sent, while the reset of passwords is on"]);
  expect(read("auth: { enabled: false }\n")).toEqual([]);
});

test("production warns if no reset link can be created", () => {
  const read = (text: string, environment: Record<string, string> = {}) =>
    readConfig({
      root: appFolder({ "service.yaml": text }),
      environment: {
        ...production,
        SERVICE_MAIL_URL: "smtp://mail.example",
        SERVICE_MAIL_FROM: "shop@shop.example",
        ...environment,
      },
      databaseUrl,
    }).warnings.map(({ message }) => message);
  expect(read(linkless)).toEqual([
    "SERVICE_WEB_URL is not set, so links that reset a password cannot be created",
  ]);
  expect(read(linkless, { SERVICE_WEB_URL: "https://shop.example" })).toEqual([]);
  expect(read("auth: { enabled: false }\n")).toEqual([]);
});

test.each([
  ["http://shop.example", 1],
  ["https://203.0.113.9", 1],
  ["https://[2001:db8::1]", 1],
  ["https://shop.example", 0],
  ["http://localhost:3001", 0],
])("production warns of passkeys at %s: %i", (address, warnings) => {
  const { warnings: found } = readConfig({
    root: appFolder({ "service.yaml": "" }),
    environment: {
      ...production,
      SERVICE_MAIL_URL: "smtp://mail.example",
      SERVICE_MAIL_FROM: "shop@shop.example",
      SERVICE_WEB_URL: address,
    },
    databaseUrl,
  });
  expect(found.filter(({ message }) => message.includes("passkey"))).toHaveLength(warnings);
});

test("outside production none of this is required", () => {
  expect(messagesOf("", { NODE_ENV: "development" })).toEqual([]);
  expect(messagesOf("", {})).toEqual([]);
});

test("production warns of passkeys at a site that no browser lets use them", () => {
  const { warnings } = readConfig({
    root: appFolder({
      "service.yaml": `auth:
  sites: { shop: "https://shop.example", till: "http://till.example", desk: "http://localhost:5173" }
`,
    }),
    environment: {
      ...production,
      SERVICE_MAIL_URL: "smtp://mail.example",
      SERVICE_MAIL_FROM: "shop@shop.example",
      SERVICE_WEB_URL: "https://staff.example",
    },
    databaseUrl,
  });
  expect(warnings.map(({ message }) => message)).toEqual([
    "auth.sites.till is neither an https address with a host name nor localhost, so no browser will use a passkey there",
  ]);
});
