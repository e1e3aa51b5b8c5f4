import type { Page } from "playwright-core";
import { api } from "../support/api.js";
import type { Person, Stage } from "../support/stage.js";

export interface Made {
  readonly category: string;
  readonly ids: readonly string[];
}

/** Products of a category of their own, which journeys beside this one do not see. */
export async function products(
  stage: Stage,
  as: Person,
  names: readonly string[],
  more: (at: number) => object = () => ({}),
): Promise<Made> {
  const call = await api(stage, as);
  const { id } = await call<{ id: string }>("POST", "/categories", { name: `All ${as.email}` });
  const operations = names.map((name, at) => ({
    create: "products",
    values: { name, price: at + 1, categoryId: id, ...more(at) },
  }));
  const { data } = await call<{ data: readonly { id: string }[] }>("POST", "/_service/batch", {
    operations,
  });
  return { category: id, ids: data.map((one) => one.id) };
}

/** The titles of the rows that are shown, in their order. */
export function titles(page: Page): Promise<readonly string[]> {
  return page.locator("tbody a.title").allTextContents();
}
