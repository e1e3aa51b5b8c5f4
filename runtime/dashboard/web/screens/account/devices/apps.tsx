import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { appsQuery, type ConnectedApp } from "../../../api/account/apps.js";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { isStatus, sentence } from "../../../api/client/errors.js";
import { useWrite } from "../../../api/client/writes.js";
import { Button } from "../../../parts/button/button.js";
import { Icon } from "../../../parts/button/icon.js";
import { Confirm } from "../../../parts/overlay/confirm.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Failure } from "../../../parts/page/page.js";
import { date, relative } from "../../../text/dates.js";
import { enAccount } from "../../../text/en/account.js";
import { Card } from "../card.js";

const text = enAccount.apps;

/** The apps that act for the account; nothing if the server allows none. */
export function Apps() {
  const { user } = useSession();
  const query = appsQuery(user.id);
  const apps = useQuery({ ...query, retryOnMount: false });
  const client = useQueryClient();
  const toast = useToast();
  const [toDisconnect, setToDisconnect] = useState<ConnectedApp | null>(null);
  const disconnect = useWrite({
    run: ({ id }: ConnectedApp) => call<undefined>("DELETE", `/auth/apps/${id}`),
    onDone: async (_, app) => {
      setToDisconnect(null);
      toast(text.done(hostOf(app)));
      await client.invalidateQueries(query);
    },
  });
  if (apps.isPending || isStatus(apps.error, 404)) return null;
  const list = apps.data?.data ?? [];
  return (
    <Card title={text.title} text={text.text}>
      {list.length > 0 ? null : (
        <div className="body">
          {apps.isError ? (
            <Failure text={sentence(apps.error)} onRetry={() => void apps.refetch()} />
          ) : null}
          {apps.isSuccess ? <p className="muted">{text.none}</p> : null}
        </div>
      )}
      <ul className="rows">
        {list.map((app) => (
          <li key={app.id}>
            <Icon name="link" />
            <div className="grow">
              <p className="strong cut">
                <bdi>{hostOf(app)}</bdi>
              </p>
              <p className="small muted">
                {text.line({
                  name: app.name,
                  may: app.scope === "read" ? text.reads : text.writes,
                  used: relative(app.lastUsedAt),
                  since: date(app.createdAt),
                })}
              </p>
            </div>
            <Button
              size="small"
              label={text.disconnectOf(hostOf(app))}
              onPress={() => setToDisconnect(app)}
            >
              {text.disconnect}
            </Button>
          </li>
        ))}
      </ul>
      {toDisconnect === null ? null : (
        <Confirm
          title={text.disconnectTitle(hostOf(toDisconnect))}
          text={text.disconnectText}
          button={text.disconnect}
          isBusy={disconnect.isBusy}
          refused={disconnect.refused}
          onConfirm={() => disconnect.send(toDisconnect)}
          onClose={() => setToDisconnect(null)}
        />
      )}
    </Card>
  );
}

function hostOf({ client }: ConnectedApp): string {
  return URL.canParse(client) ? new URL(client).host : client;
}
