import type { Locator, Page } from "playwright-core";
import type { Stage } from "../support/stage.js";

export interface Made {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** A record made past the browser, by somebody who may. */
export async function make(stage: Stage, resource: string, values: object): Promise<Made> {
  const made = await api(stage, "POST", `/${resource}`, values);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body as Made;
}

/** The same by somebody with that role: the stage's own may be named by no rule. */
export async function makeAs(stage: Stage, role: string, resource: string, values: object) {
  const token = await stage.cookieOf(await stage.person("Maker", role));
  return make({ ...stage, app: { ...stage.app, token } }, resource, values);
}

/** What somebody else does meanwhile. */
export async function api(
  stage: Stage,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${stage.app.url}/api${path}`, {
    method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${stage.app.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

let words = 0;

/** A name that nothing else in this process has. */
export function fresh(name: string): string {
  words += 1;
  return `${name} ${process.pid}-${words}`;
}

export async function makeProduct(stage: Stage, values: object = {}): Promise<Made> {
  const category = await make(stage, "categories", { name: fresh("Tea") });
  const name = fresh("Assam");
  return make(stage, "products", { name, price: 4.5, categoryId: category.id, ...values });
}

/** The field of the form that is shown. */
export function field(page: Page, label: string | RegExp): Locator {
  return page.getByRole("main").getByLabel(label).first();
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Chooses a related record by a term. */
export async function pick(page: Page, label: string | RegExp, term: string): Promise<void> {
  const box = page.getByRole("combobox", { name: label });
  await box.click();
  await box.fill(term);
  await page.getByRole("option", { name: term }).first().click();
}

/** Until the browser has a draft of the form; a phone has no room to say so. */
export async function draftKept(page: Page): Promise<void> {
  await page.getByText("draft kept in this browser").waitFor({ state: "attached" });
}
