import { Webhooks } from "./list.js";
import { OneWebhook } from "./one.js";
import "./screen.css";

/** The webhooks of the app for operators, or one of them with its deliveries. */
export default function WebhooksScreen({ id }: { readonly id: string | null }) {
  return id === null ? <Webhooks /> : <OneWebhook id={id} />;
}
