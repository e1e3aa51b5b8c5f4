import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { type Webhook, webhooksQuery } from "../../api/webhooks/queries.js";
import { Button } from "../../parts/button/button.js";
import { Tag, Title } from "../../parts/page/page.js";
import { exactTime, relative } from "../../text/dates.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";
import "../../parts/page/table.css";
import { Absent } from "./absent.js";
import { WebhookForm } from "./form.js";
import { ShownSecret } from "./secret.js";

const text = enWebhooks;

export function Webhooks() {
  const { user } = useSession();
  const webhooks = useQuery(webhooksQuery(user.id));
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const list = webhooks.data?.data;
  return (
    <div className="scroll">
      <div className="top">
        <Title>{text.title}</Title>
        {list === undefined ? null : (
          <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
            {text.add}
          </Button>
        )}
      </div>
      {list !== undefined && list.length > 0 ? (
        <Rows webhooks={list} />
      ) : (
        <div className="content">
          {list === undefined ? (
            <Absent answer={webhooks} missing={text.missing} />
          ) : (
            <div className="stack near">
              <p className="strong">{text.none}</p>
              <p className="muted">{text.intro}</p>
            </div>
          )}
        </div>
      )}
      {isAdding ? (
        <WebhookForm
          webhook={null}
          onClose={() => setAdding(false)}
          onSaved={(made) => {
            setAdding(false);
            setSecret(made.secret ?? null);
          }}
        />
      ) : null}
      {secret === null ? null : <ShownSecret secret={secret} onClose={() => setSecret(null)} />}
    </div>
  );
}

function Rows({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.title} tabIndex={0}>
      <table className="table tall webhooks">
        <thead>
          <tr>
            <th scope="col">{text.url}</th>
            <th scope="col">{text.state}</th>
            <th scope="col" className="wide-only">
              {text.created}
            </th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <td className="cut">
                <Link className="title cut" href={`/webhooks/${webhook.id}`}>
                  <bdi>{webhook.url}</bdi>
                </Link>
                <span className="small muted cut events">{webhook.events.join(", ")}</span>
              </td>
              <td>
                <WebhookState webhook={webhook} />
              </td>
              <td className="wide-only muted">
                <time dateTime={webhook.createdAt} title={exactTime(webhook.createdAt)}>
                  {relative(webhook.createdAt)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  return webhook.disabled ? (
    <Tag look="warn">{text.isOff}</Tag>
  ) : (
    <Tag look="good">{text.isOn}</Tag>
  );
}
