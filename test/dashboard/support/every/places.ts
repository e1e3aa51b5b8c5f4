import { newVerifier, queryOf } from "../../../support/oauth/flow.js";
import type { Stage } from "../stage.js";
import { everythingOf } from "./stage.js";

/** The screens that callers without a session see. */
export const placesOut = [
  "/sign-in",
  "/sign-in/link?token=abc",
  "/sign-in/second-step",
  "/register",
  "/verify-email",
  "/change-email?token=abc",
  "/forgot-password",
  "/reset-password?token=abc",
] as const;

/** Every screen that has an address, by its path. */
export function placesIn(stage: Stage): readonly string[] {
  const { good, gone, shelf, order, leaver, webhook } = everythingOf(stage).filled;
  const month = String(good.releasedOn).slice(0, 7);
  const goods = [
    "",
    "?q=Gumb",
    "?q=no-such-thing",
    "?filter[state]=live&filter[price][gte]=5&sort=-price,name&total=sum",
    `?show=calendar:releasedOn&month=${month}`,
    "?show=calendar:soldOutAt",
    "?show=gallery:photo",
    "?by=state&total=sum",
    "?by=releasedOn:month,state&total=max",
    ...["/new", "/charts", "/api", "/import", "/trash"],
    ...[`/${good.id}`, `/${good.id}/lines`, `/${good.id}/_history`, `/${gone.id}`, "/nowhere"],
  ];
  return [
    "/",
    ...goods.map((path) => `/data/goods${path}`),
    ...["/data/shelves", `/data/shelves/${shelf.id}`, `/data/shelves/${shelf.id}/goods`],
    ...[`/data/orders/${order.id}`, "/data/orders/new", "/data/nothing"],
    ...["profile", "password", "second-step", "passkeys", "devices", "tokens"].map(
      (part) => `/account/${part}`,
    ),
    ...["", `/${leaver.id}`, "/events", "/rights", "/tokens"].map((path) => `/accounts${path}`),
    ...["/jobs", "/jobs/schedule", "/jobs/day", "/webhooks", `/webhooks/${webhook}`],
    ...["/activity", "/status", "/nowhere"],
  ];
}

/** The page that asks whether an app may act as the account. */
export function authorizePath(stage: Stage): string {
  const { site } = everythingOf(stage);
  const id = site.publish("/assistant.json", { client_name: "An assistant" });
  return `/oauth/authorize?${queryOf(id, newVerifier().challenge)}`;
}
