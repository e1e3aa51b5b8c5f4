import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { allOf } from "../../api/client/pages.js";
import {
  type Delivery,
  deliveriesPath,
  deliveriesQuery,
  deliveryQuery,
  deliveryStates,
  deliveryTotalsQuery,
  type Webhook,
  webhooksKey,
} from "../../api/webhooks/queries.js";
import { EachDialog } from "../../form/each.js";
import { Totals } from "../../form/totals.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { exactTime, now, relative } from "../../text/dates.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";
import { soon } from "../../text/job-times.js";
import "../../parts/page/table.css";
import { Absent } from "./absent.js";
import { DeliveryDialog } from "./delivery-dialog.js";
import { DeliveryTag } from "./delivery-tag.js";

const text = enWebhooks;

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Delivery | null>(null);
  const state = deliveryStates.find((one) => one === search.get("filter[state]")) ?? "";
  // In the address, so that the filter survives going back and a reload.
  const ask = (next: string) =>
    setSearch(new URLSearchParams(next === "" ? {} : { "filter[state]": next }), { replace: true });
  const deliveries = useInfiniteQuery(deliveriesQuery(user.id, webhook.id, state));
  const totals = useQuery(deliveryTotalsQuery(user.id, webhook.id));
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const failed = totals.data?.find((one) => one.state === "failed")?.count ?? 0;
  const path = deliveriesPath(webhook.id);
  const list = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <div className="tools">
        <h2>{text.deliveries}</h2>
        <Totals totals={totals.data} words={text.states} />
        {failed > 0 && (state === "" || state === "failed") ? (
          <Button onPress={() => setSending(true)}>{text.sendAll}</Button>
        ) : null}
        <Choice
          label={text.state}
          isLabelHidden
          value={state}
          onChange={ask}
          options={[
            { value: "", label: text.stateIs(text.any) },
            ...deliveryStates.map((one) => ({ value: one, label: text.stateIs(text.states[one]) })),
          ]}
        />
      </div>
      {list === undefined ? (
        <div className="content">
          <Absent answer={deliveries} missing={text.gone} />
        </div>
      ) : list.length === 0 ? (
        <div className="content">
          <p className="muted">{state === "" ? text.noDeliveries : text.noneSuch}</p>
          {state === "" ? null : (
            <div>
              <Button onPress={() => ask("")}>{text.showAll}</Button>
            </div>
          )}
        </div>
      ) : (
        <Rows webhook={webhook} deliveries={list} onOpen={setOpened} />
      )}
      {deliveries.hasNextPage ? (
        <div className="content">
          <div>
            <Button
              isBusy={deliveries.isFetchingNextPage}
              onPress={() => void deliveries.fetchNextPage()}
            >
              {text.older}
            </Button>
          </div>
        </div>
      ) : null}
      {isSending ? (
        <EachDialog
          title={text.sendAllTitle}
          text={text.sendAllText}
          button={text.sendAll}
          find={async (signal) => {
            const all = await allOf<Delivery>(path, { "filter[state]": "failed" }, signal);
            return all.toReversed().map(({ id, type }) => ({ id, title: type }));
          }}
          run={({ id }) => call<undefined>("POST", `${path}/${id}/retry`)}
          onClose={() => {
            setSending(false);
            void client.invalidateQueries({ queryKey: webhooksKey(user.id) });
          }}
        />
      ) : null}
      {opened === null ? null : (
        <DeliveryDialog webhook={webhook} delivery={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Rows({
  webhook,
  deliveries,
  onOpen,
}: {
  readonly webhook: Webhook;
  readonly deliveries: readonly Delivery[];
  readonly onOpen: (delivery: Delivery) => void;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.deliveries} tabIndex={0}>
      <table className="table webhooks">
        <thead>
          <tr>
            <th scope="col">{text.type}</th>
            <th scope="col">{text.state}</th>
            <th scope="col" className="wide-only">
              {text.answer}
            </th>
            <th scope="col" className="wide-only end">
              {text.attempts}
            </th>
            <th scope="col" className="wide-only">
              {text.at}
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td className="cut">
                <Button look="quiet" className="name" onPress={() => onOpen(delivery)}>
                  <bdi>{delivery.type}</bdi>
                </Button>
                <span className="narrow-only small muted cut">
                  {relative(delivery.at)}
                  {delivery.state === "succeeded" ? null : (
                    <>
                      {" · "}
                      <Answer webhook={webhook} delivery={delivery} />
                    </>
                  )}
                </span>
              </td>
              <td>
                <DeliveryTag delivery={delivery} />
                <span className="narrow-only small muted">{text.tries(delivery.attempts)}</span>
              </td>
              <td className="wide-only cut">
                <Answer webhook={webhook} delivery={delivery} />
              </td>
              <td className="wide-only end">{delivery.attempts}</td>
              <td className="wide-only muted">
                <time dateTime={delivery.at} title={exactTime(delivery.at)}>
                  {relative(delivery.at)}
                </time>
                {delivery.nextAt === null ? null : ` · ${nextOf(delivery.nextAt)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The status of the last response; without one, why there was none. */
function Answer({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery }) {
  const { user } = useSession();
  const { status, state, attempts, id } = delivery;
  const whole = useQuery({
    ...deliveryQuery(user.id, webhook.id, id),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: status === null && state !== "succeeded" && attempts > 0,
  });
  if (status !== null) return text.answered(status);
  const error = whole.data?.error?.split("\n")[0] ?? text.noAnswer;
  return <bdi title={error}>{error}</bdi>;
}

function nextOf(at: string): string {
  return new Date(at).getTime() <= now() ? text.nextNow : text.next(soon(at));
}
