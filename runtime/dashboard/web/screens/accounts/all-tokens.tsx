import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { allServiceTokensQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { sentence } from "../../api/client/errors.js";
import type { AnyServiceToken } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import "../../parts/page/table.css";
import { date, relative } from "../../text/dates.js";
import { en } from "../../text/en/en.js";
import { enRights } from "../../text/en/operators/accounts.js";

const text = enRights.tokens;

/**
 * The service tokens of all accounts. Only the creator sees a token, once, and accounts create tokens only for
 * themselves.
 */
export function AllTokens() {
  const { user } = useSession();
  const query = allServiceTokensQuery(user.id);
  const tokens = useQuery(query);
  const client = useQueryClient();
  const toast = useToast();
  const [toRevoke, setToRevoke] = useState<AnyServiceToken | null>(null);
  const revoke = useWrite({
    run: ({ id }: AnyServiceToken) => call<undefined>("DELETE", `/_service/service-tokens/${id}`),
    onDone: async (_, { name }) => {
      setToRevoke(null);
      toast(text.revoked(name));
      await client.invalidateQueries(query);
    },
  });
  const list = tokens.data?.data ?? [];
  return (
    <>
      <div className="tools">
        <p className="small muted">
          {text.intro} <Link href="/account/tokens">{text.own}</Link>
        </p>
      </div>
      {tokens.isPending ? (
        <div className="content">
          <Skeleton />
        </div>
      ) : null}
      {tokens.isError ? (
        <div className="content">
          <Failure text={sentence(tokens.error)} onRetry={() => void tokens.refetch()} />
        </div>
      ) : null}
      {tokens.isSuccess && list.length === 0 ? <p className="content muted">{text.none}</p> : null}
      {list.length === 0 ? null : (
        <div className="table-box">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{text.name}</th>
                <th scope="col">{text.account}</th>
                <th scope="col" className="wide-only">
                  {text.used}
                </th>
                <th scope="col" className="wide-only">
                  {text.until}
                </th>
                <th scope="col">
                  <span className="hidden">{text.revoke}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((token) => (
                <tr key={token.id}>
                  <th scope="row" className="cut">
                    <bdi>{token.name}</bdi>
                  </th>
                  <td className="cut">
                    <Link href={`/accounts/${token.account.id}`}>{token.account.email}</Link>
                  </td>
                  <td className="wide-only">
                    {token.lastUsedAt === null ? en.common.never : relative(token.lastUsedAt)}
                  </td>
                  <td className="wide-only">
                    {token.expiresAt === null ? text.endless : date(token.expiresAt)}
                  </td>
                  <td className="end">
                    <Button
                      size="small"
                      label={text.revokeOf(token.name)}
                      onPress={() => setToRevoke(token)}
                    >
                      {text.revoke}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {toRevoke === null ? null : (
        <Confirm
          title={text.revokeTitle(toRevoke.name)}
          text={text.revokeText(toRevoke.account.email)}
          button={text.revokeOf(toRevoke.name)}
          isBusy={revoke.isBusy}
          refused={revoke.refused}
          onConfirm={() => revoke.send(toRevoke)}
          onClose={() => setToRevoke(null)}
        />
      )}
    </>
  );
}
