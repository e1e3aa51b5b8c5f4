import type { Account, Identity } from "../../../api/client/types.js";
import { date } from "../../../text/dates.js";
import { enAccounts } from "../../../text/en/operators/accounts.js";

const text = enAccounts;

/** The facts about an account that an operator sees and cannot change. */
export function Facts({ account }: { readonly account: Account }) {
  return (
    <dl className="facts">
      <dt>{text.state}</dt>
      <dd>
        {text.stateLine(
          account.disabled ? text.disabled : text.active,
          account.emailVerified ? text.addressVerified : text.addressUnverified,
        )}
      </dd>
      <dt>{text.second}</dt>
      <dd>{account.twoFactorEnabled ? text.on : text.off}</dd>
      <dt>{text.devices}</dt>
      <dd>{account.sessions?.length ?? 0}</dd>
      {account.identities === undefined ? null : (
        <>
          <dt>{text.linked}</dt>
          <dd>
            {account.identities.length === 0
              ? text.noneLinked
              : account.identities.map(identityLine).join(", ")}
          </dd>
        </>
      )}
      <dt>{text.joined}</dt>
      <dd>{date(account.createdAt)}</dd>
    </dl>
  );
}

/** `Google (ada@example.com)`. */
function identityLine({ title, email }: Identity): string {
  return email === null ? title : `${title} (${email})`;
}
