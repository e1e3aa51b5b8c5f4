import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { eventsQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { AccountEvent } from "../../api/client/types.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { exactTime, time } from "../../text/dates.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import "../../parts/page/table.css";

const text = enAccounts;

export function Events({ head }: { readonly head: (isBarred: boolean) => ReactNode }) {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const account = search.get("account");
  const kind = search.get("kind") ?? "";
  // In the address, so that the filter survives going back and a reload.
  const ask = (name: "account" | "kind", value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === "") after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const query = new URLSearchParams({
    ...(account === null ? {} : { "filter[accountId]": account }),
    ...(kind === "" ? {} : { "filter[kind]": kind }),
  });
  const events = useInfiniteQuery(eventsQuery(user.id, query.toString()));
  const isBarred = isStatus(events.error, 403) || isStatus(events.error, 404);
  const list = events.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {head(isBarred)}
      {isBarred ? null : (
        <div className="tools">
          <Choice
            label={text.kind}
            isLabelHidden
            value={kind}
            onChange={(value) => ask("kind", value)}
            options={[
              { value: "", label: text.kindIs(text.any) },
              ...Object.entries(text.kinds).map(([value, label]) => ({ value, label })),
            ]}
          />
          {account === null ? null : (
            <Button icon="close" onPress={() => ask("account", "")}>
              {text.onlyOf(list[0]?.account.email ?? null)}
            </Button>
          )}
        </div>
      )}
      {events.isPending || events.isError ? (
        <div className="content">
          {events.isPending ? (
            <Skeleton lines={8} />
          ) : isBarred ? (
            <p className="muted">{text.forbidden}</p>
          ) : (
            <Failure text={sentence(events.error)} onRetry={() => void events.refetch()} />
          )}
        </div>
      ) : null}
      {events.isSuccess && list.length === 0 ? (
        <div className="content">
          <p className="muted">{kind === "" ? text.noEvents : text.noSuchEvents}</p>
        </div>
      ) : null}
      {list.length === 0 ? null : <Rows events={list} />}
      {events.hasNextPage ? (
        <div className="content">
          <div>
            <Button isBusy={events.isFetchingNextPage} onPress={() => void events.fetchNextPage()}>
              {text.more}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}

function Rows({ events }: { readonly events: readonly AccountEvent[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.events} tabIndex={0}>
      <table className="table events">
        <thead>
          <tr>
            <th scope="col">{text.what}</th>
            <th scope="col">{text.who}</th>
            <th scope="col" className="wide-only">
              {text.when}
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, kind, account, by, at, reason }) => (
            <tr key={id}>
              <td>
                {text.kinds[kind] ?? kind}
                {reason === undefined ? null : <span className="small muted"> {reason}</span>}
              </td>
              <td className="cut">
                {account.email ?? text.deletedAccount}
                {by === null || by.id === account.id ? null : (
                  <span className="muted"> {text.by(by.email ?? text.deletedAccount)}</span>
                )}
                <span className="narrow-only small muted">
                  <Moment at={at} />
                </span>
              </td>
              <td className="wide-only muted cut">
                <Moment at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {time(at)}
    </time>
  );
}
