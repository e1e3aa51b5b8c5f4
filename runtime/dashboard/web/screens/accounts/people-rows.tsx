import { Link, useSearch } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Account } from "../../api/client/types.js";
import { Avatar, Tag } from "../../parts/page/page.js";
import { relative } from "../../text/dates.js";
import { en } from "../../text/en/en.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import { initials } from "../../text/format.js";
import "../../parts/page/table.css";

const text = enAccounts;

export interface PeopleRowsProps {
  readonly accounts: readonly Account[];
  readonly chosen: string | null;
}

export function PeopleRows({ accounts, chosen }: PeopleRowsProps) {
  const { user } = useSession();
  const search = useSearch();
  // The list's search stays when an account is opened.
  const hrefOf = (id: string) => `/accounts/${id}${search === "" ? "" : `?${search}`}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.people} tabIndex={0}>
      <table className="table tall">
        <thead>
          <tr>
            <th scope="col">{en.common.name}</th>
            <th scope="col">{text.role}</th>
            <th scope="col" className="wide-only">
              {text.second}
            </th>
            <th scope="col" className="wide-only">
              {text.state}
            </th>
            <th scope="col" className="wide-only">
              {text.lastUsed}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id} data-chosen={account.id === chosen || undefined}>
              <td>
                <span className="row">
                  <Avatar name={initials(account.name)} />
                  <span className="grow cut">
                    <Link
                      className="title"
                      href={hrefOf(account.id)}
                      aria-current={account.id === chosen || undefined}
                    >
                      <bdi>{account.name}</bdi>
                    </Link>{" "}
                    {account.id === user.id ? <Tag look="mine">{text.you}</Tag> : null}
                    <span className="small muted cut email">{account.email}</span>
                  </span>
                </span>
              </td>
              <td>
                {account.role === null ? (
                  <span className="muted">{text.noRole}</span>
                ) : (
                  <Tag>{account.role}</Tag>
                )}
                {account.disabled || !account.emailVerified ? (
                  <span className="narrow-only">
                    <State account={account} />
                  </span>
                ) : null}
              </td>
              <td className={account.twoFactorEnabled ? "wide-only" : "wide-only muted"}>
                {account.twoFactorEnabled ? text.on : text.off}
              </td>
              <td className="wide-only">
                <State account={account} />
              </td>
              <td className="wide-only muted">
                {account.lastUsedAt === null ? en.common.never : relative(account.lastUsedAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function State({ account }: { readonly account: Account }) {
  if (account.disabled) return <Tag look="bad">{text.disabled}</Tag>;
  if (!account.emailVerified) return <Tag look="warn">{text.unverified}</Tag>;
  return <span className="muted">{text.active}</span>;
}
