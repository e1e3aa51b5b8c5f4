import { Link } from "wouter";
import type { Newest } from "../../api/changes/activity.js";
import type { AccountEvent } from "../../api/client/types.js";
import { exactTime, relative } from "../../text/dates.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import { enActivity } from "../../text/en/operators/activity.js";
import { count } from "../../text/format.js";
import { type Answer, Panel } from "./panel.js";

const text = enActivity;
/** Maximum number of events listed; the events page has all. */
const mostListed = 20;

/** The events of accounts. Sign-ins are only counted, because they are the majority. */
export function AccountPanel({ answer }: { readonly answer: Answer<Newest<AccountEvent>> }) {
  const isEmpty = answer.data?.items.length === 0;
  const more = isEmpty ? undefined : { href: "/accounts/events", label: text.allEvents };
  return (
    <Panel title={text.accounts} answer={answer} more={more}>
      {(events) => <Events {...events} />}
    </Panel>
  );
}

function Events({ items, isPart }: Newest<AccountEvent>) {
  const signIns = items.filter(({ kind }) => kind === "signed-in");
  const others = items.filter(({ kind }) => kind !== "signed-in" && kind !== "signed-out");
  const accounts = new Set(signIns.map(({ account }) => account.id)).size;
  const many = count(signIns.length);
  if (signIns.length + others.length === 0) return <p className="body muted">{text.noEvents}</p>;
  return (
    <>
      {signIns.length === 0 ? null : (
        <p className="body">
          {text.signIns(signIns.length, isPart ? text.atLeast(many) : many, accounts)}
        </p>
      )}
      {others.length === 0 ? null : (
        <ul className="rows">
          {others.slice(0, mostListed).map((event) => (
            <Event key={event.id} event={event} />
          ))}
          {others.length > mostListed ? (
            <li className="small muted">{text.others(others.length - mostListed)}</li>
          ) : null}
        </ul>
      )}
    </>
  );
}

function Event({ event: { kind, account, by, at } }: { readonly event: AccountEvent }) {
  return (
    <li>
      <span className="grow">
        {enAccounts.kinds[kind] ?? kind}
        {": "}
        {account.email === null ? (
          enAccounts.deletedAccount
        ) : (
          <Link href={`/accounts/${account.id}`}>
            <bdi>{account.email}</bdi>
          </Link>
        )}
        {by === null || by.id === account.id ? null : (
          <span className="muted"> {enAccounts.by(by.email ?? enAccounts.deletedAccount)}</span>
        )}
      </span>
      <time className="small muted" dateTime={at} title={exactTime(at)}>
        {relative(at)}
      </time>
    </li>
  );
}
