import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import {
  type Webhook,
  webhookQuery,
  webhooksKey,
  webhooksPath,
} from "../../api/webhooks/queries.js";
import { isNotFresh, sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { Menu } from "../../parts/overlay/menu.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Title } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";
import { Absent } from "./absent.js";
import { Deliveries } from "./deliveries.js";
import { WebhookForm } from "./form.js";
import { WebhookState } from "./list.js";
import { ShownSecret } from "./secret.js";

const text = enWebhooks;

export function OneWebhook({ id }: { readonly id: string }) {
  const { user } = useSession();
  const webhook = useQuery(webhookQuery(user.id, id));
  return (
    <div className="scroll">
      {webhook.data === undefined ? (
        <>
          <div className="top">
            <div>
              <Crumbs />
              <Title>{text.title}</Title>
            </div>
          </div>
          <div className="content">
            <Absent answer={webhook} missing={text.gone} />
          </div>
        </>
      ) : (
        <Found webhook={webhook.data} />
      )}
    </div>
  );
}

function Crumbs() {
  return (
    <nav className="crumbs" aria-label={text.crumbs}>
      <Link href="/webhooks">{text.title}</Link>
    </nav>
  );
}

type Dialog = "edit" | "renew" | "delete";

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose parts share the webhook
function Found({ webhook }: { readonly webhook: Webhook }) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [, go] = useLocation();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const key = webhooksKey(user.id);
  const isFetching = useIsFetching({ queryKey: key }) > 0;
  const again = () => client.invalidateQueries({ queryKey: key });
  const path = `${webhooksPath}/${webhook.id}`;
  const ask = (next: Dialog) => {
    // An earlier refusal does not apply to this attempt.
    renew.clear();
    remove.clear();
    setDialog(next);
  };
  const test = useWrite({
    run: () => call<undefined>("POST", `${path}/test`),
    onDone: () => {
      toast(text.tested);
      return again();
    },
  });
  const renew = useWrite({
    run: () => call<{ readonly secret: string }>("POST", `${path}/secret`),
    onDone: (renewed) => {
      setDialog(null);
      setSecret(renewed.secret);
    },
  });
  const remove = useWrite({
    run: () => call<undefined>("DELETE", path),
    onDone: async () => {
      toast(text.deleted);
      go("/webhooks", { replace: true });
      client.removeQueries({ queryKey: webhookQuery(user.id, webhook.id).queryKey });
      await again();
    },
  });
  return (
    <>
      <div className="top">
        <div className="webhook-title">
          <Crumbs />
          <div className="cut-title">
            <Title>{webhook.url}</Title>
          </div>
        </div>
        <div className="row wrap">
          <Button isBusy={isFetching} onPress={() => void again()}>
            {text.refresh}
          </Button>
          <Button isBusy={test.isBusy} onPress={() => sendOrSignIn(test, undefined)}>
            {isNotFresh(test.error) ? text.signInAgain : text.test}
          </Button>
          <Menu
            label={text.more}
            button={<Button icon="more" label={text.more} />}
            entries={[
              { id: "edit", label: text.edit, onAction: () => ask("edit") },
              { id: "renew", label: text.renew, onAction: () => ask("renew") },
              {
                id: "delete",
                label: text.delete,
                look: "danger",
                onAction: () => ask("delete"),
              },
            ]}
          />
        </div>
      </div>
      <div className="content about-webhook">
        <Refusal refused={test.refused} />
        <p className="row wrap">
          <WebhookState webhook={webhook} />
          <span className="muted">{webhook.events.join(", ")}</span>
        </p>
      </div>
      <Deliveries webhook={webhook} />
      {dialog === "edit" ? (
        <WebhookForm
          webhook={webhook}
          onClose={() => setDialog(null)}
          onSaved={() => {
            setDialog(null);
            toast(text.saved);
          }}
        />
      ) : null}
      {dialog === "renew" ? (
        <Confirm
          title={text.renewTitle}
          text={text.renewText}
          button={isNotFresh(renew.error) ? text.signInAgain : text.renewButton}
          look="primary"
          isBusy={renew.isBusy}
          refused={renew.refused}
          onConfirm={() => sendOrSignIn(renew, undefined)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === "delete" ? (
        <Confirm
          title={text.deleteTitle}
          text={text.deleteText}
          button={isNotFresh(remove.error) ? text.signInAgain : text.deleteButton}
          isBusy={remove.isBusy}
          refused={remove.refused}
          onConfirm={() => sendOrSignIn(remove, undefined)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {secret === null ? null : <ShownSecret secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
