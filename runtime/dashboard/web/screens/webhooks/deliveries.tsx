import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import {
  type Delivery,
  deliveriesQuery,
  deliveryStates,
  type Webhook,
} from "../../api/webhooks/queries.js";
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

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Delivery | null>(null);
  const state = deliveryStates.find((one) => one === search.get("filter[state]")) ?? "";
  // In the address, so that the filter survives going back and a reload.
  const ask = (next: string) =>
    setSearch(new URLSearchParams(next === "" ? {} : { "filter[state]": next }), { replace: true });
  const deliveries = useInfiniteQuery(deliveriesQuery(user.id, webhook.id, state));
  const list = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <div className="tools">
        <h2 className="grow">{text.deliveries}</h2>
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
        <Rows deliveries={list} onOpen={setOpened} />
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
      {opened === null ? null : (
        <DeliveryDialog webhook={webhook} delivery={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Rows({
  deliveries,
  onOpen,
}: {
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
            <th scope="col" className="wide-only end">
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
                <span className="narrow-only small muted">{relative(delivery.at)}</span>
              </td>
              <td>
                <DeliveryTag delivery={delivery} />
                <span className="narrow-only small muted">{text.tries(delivery.attempts)}</span>
              </td>
              <td className="wide-only end">{delivery.status ?? text.noAnswer}</td>
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

function nextOf(at: string): string {
  return new Date(at).getTime() <= now() ? text.nextNow : text.next(soon(at));
}
