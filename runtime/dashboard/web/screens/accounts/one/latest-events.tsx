import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "wouter";
import { eventsQuery } from "../../../api/account/queries.js";
import { useSession } from "../../../api/account/session.js";
import { exactTime, relative } from "../../../text/dates.js";
import { enAccounts } from "../../../text/en/operators/accounts.js";

const text = enAccounts;
const shown = 3;

/** The newest events of an account, and a link to all of them. */
export function LatestEvents({ account }: { readonly account: string }) {
  const { user } = useSession();
  const id = useId();
  const events = useInfiniteQuery(
    eventsQuery(user.id, `filter[accountId]=${account}&perPage=${shown}`),
  );
  const list = events.data?.pages[0]?.data ?? [];
  return (
    <section className="stack near" aria-labelledby={id}>
      <h3 id={id}>{text.events}</h3>
      <ul className="timeline">
        {list.map(({ id: one, kind, by, at }) => (
          <li key={one}>
            <span>
              {text.kinds[kind] ?? kind}
              {by === null || by.id === account
                ? null
                : ` ${text.by(by.email ?? text.deletedAccount)}`}
            </span>
            <time className="muted" dateTime={at} title={exactTime(at)}>
              {relative(at)}
            </time>
          </li>
        ))}
      </ul>
      <Link className="small" href={`/accounts/events?account=${account}`}>
        {text.allEvents}
      </Link>
    </section>
  );
}
