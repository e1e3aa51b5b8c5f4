import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { sentence } from "../../api/client/errors.js";
import { useWrite } from "../../api/client/writes.js";
import {
  type Delivery,
  deliveryQuery,
  type Webhook,
  webhooksKey,
  webhooksPath,
} from "../../api/webhooks/queries.js";
import { isNotFresh, sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { exactTime } from "../../text/dates.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";
import { DeliveryTag } from "./delivery-tag.js";

const text = enWebhooks;

export interface DeliveryDialogProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** The request and response of a delivery, and a button to send it again. */
export function DeliveryDialog({ webhook, delivery, onClose }: DeliveryDialogProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const whole = useQuery(deliveryQuery(user.id, webhook.id, delivery.id));
  const shown = whole.data ?? delivery;
  const retry = useWrite({
    run: () =>
      call<undefined>("POST", `${webhooksPath}/${webhook.id}/deliveries/${delivery.id}/retry`),
    onDone: async () => {
      toast(text.retried);
      onClose();
      await client.invalidateQueries({ queryKey: webhooksKey(user.id) });
    },
  });
  return (
    <Dialog title={delivery.type} onClose={onClose} closesOutside>
      <dl className="facts">
        <dt>{text.state}</dt>
        <dd>
          <DeliveryTag delivery={shown} />
        </dd>
        <dt>{text.answer}</dt>
        <dd className="num">{shown.status ?? text.noAnswer}</dd>
        <dt>{text.attempts}</dt>
        <dd className="num">{shown.attempts}</dd>
        <dt>{text.at}</dt>
        <dd>{exactTime(shown.at)}</dd>
        {shown.nextAt === null ? null : (
          <>
            <dt>{text.nextAt}</dt>
            <dd>{exactTime(shown.nextAt)}</dd>
          </>
        )}
        <dt>{text.id}</dt>
        <dd className="mono">{shown.id}</dd>
      </dl>
      {whole.data === undefined ? (
        whole.isError ? (
          <Failure text={sentence(whole.error)} onRetry={() => void whole.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : (
        <>
          {whole.data.error === null ? null : (
            <section className="stack near" aria-label={text.error}>
              <h3>{text.error}</h3>
              <p>{whole.data.error}</p>
            </section>
          )}
          <section className="stack near" aria-label={text.body}>
            <h3>{text.body}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys as well */}
            <pre className="sent-body mono" tabIndex={0}>
              {readable(whole.data.body)}
            </pre>
          </section>
        </>
      )}
      <Refusal refused={retry.refused} />
      <div className="actions">
        <Button look="primary" isBusy={retry.isBusy} onPress={() => sendOrSignIn(retry, undefined)}>
          {isNotFresh(retry.error) ? text.signInAgain : text.retry}
        </Button>
      </div>
    </Dialog>
  );
}

/** Formats JSON with one value per line. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
