import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { serviceTokensQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { sentence } from "../../api/client/errors.js";
import type { ServiceToken } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { date, relative } from "../../text/dates.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { Card } from "./card.js";
import { NewToken } from "./new-token.js";

const text = enAccount.tokens;

/** The tokens of programs that work as this account. */
export function TokensPart() {
  const { user } = useSession();
  const query = serviceTokensQuery(user.id);
  const tokens = useQuery(query);
  const client = useQueryClient();
  const toast = useToast();
  const [isAdding, setAdding] = useState(false);
  const [toRevoke, setToRevoke] = useState<ServiceToken | null>(null);
  const again = () => client.invalidateQueries(query);
  const revoke = useWrite({
    run: ({ id }: ServiceToken) => call<undefined>("DELETE", `/auth/service-tokens/${id}`),
    onDone: async (_, { name }) => {
      setToRevoke(null);
      toast(text.revoked(name));
      await again();
    },
  });
  const list = tokens.data?.data ?? [];
  return (
    <Card
      title={text.title}
      text={text.text}
      action={
        <Button icon="plus" onPress={() => setAdding(true)}>
          {text.add}
        </Button>
      }
    >
      {tokens.isSuccess && list.length > 0 ? null : (
        <div className="body">
          {tokens.isPending ? <Skeleton lines={2} /> : null}
          {tokens.isError ? (
            <Failure text={sentence(tokens.error)} onRetry={() => void tokens.refetch()} />
          ) : null}
          {tokens.isSuccess ? <p className="muted">{text.none}</p> : null}
        </div>
      )}
      <ul className="rows">
        {list.map((token) => (
          <li key={token.id}>
            <Icon name="code" />
            <div className="grow">
              <p className="strong cut">
                <bdi>{token.name}</bdi>
              </p>
              <p className="small muted">{lineOf(token)}</p>
            </div>
            <Button
              size="small"
              label={text.revokeOf(token.name)}
              onPress={() => setToRevoke(token)}
            >
              {text.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding ? <NewToken onClose={() => setAdding(false)} onMade={() => void again()} /> : null}
      {toRevoke === null ? null : (
        <Confirm
          title={text.revokeTitle(toRevoke.name)}
          text={text.revokeText}
          button={text.revokeOf(toRevoke.name)}
          isBusy={revoke.isBusy}
          refused={revoke.refused}
          onConfirm={() => sendOrSignIn(revoke, toRevoke)}
          onClose={() => setToRevoke(null)}
        />
      )}
    </Card>
  );
}

function lineOf({ lastUsedAt, createdAt, expiresAt }: ServiceToken): string {
  const used = lastUsedAt === null ? en.common.never : relative(lastUsedAt);
  const end = expiresAt === null ? text.endless : text.ends(date(expiresAt));
  return text.line(used, date(createdAt), end);
}
