import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { configQuery, identitiesQuery } from "../../../api/account/queries.js";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { isCode, isStatus, sentence } from "../../../api/client/errors.js";
import type { Identity } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { here, leaveTo, signInPath } from "../../../browser/address/address.js";
import { Button } from "../../../parts/button/button.js";
import { Icon } from "../../../parts/button/icon.js";
import { ProviderMark } from "../../../parts/button/provider-mark.js";
import { Confirm } from "../../../parts/overlay/confirm.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { goToProvider } from "../../../sign-in/provider/departure.js";
import { date, relative } from "../../../text/dates.js";
import { enAccount } from "../../../text/en/account.js";
import { en } from "../../../text/en/en.js";
import { Card } from "../card.js";

const text = enAccount.signIns;

/** The providers that the account is linked to, and buttons for the others. */
export function SignInsPart() {
  const { user } = useSession();
  const identities = useQuery({ ...identitiesQuery(user.id), retryOnMount: false });
  const config = useQuery(configQuery);
  const [removed, setRemoved] = useState<Identity | null>(null);
  const link = useWrite({
    run: (name: string) =>
      goToProvider(name, { what: "link", account: user.id, redirectTo: "/account/sign-ins" }),
  });
  if (isStatus(identities.error, 404)) return <Card title={text.title} text={text.off} />;
  const list = identities.data?.data ?? [];
  const linked = new Set(list.map(({ provider }) => provider));
  const others = (config.data?.providers ?? []).filter(({ name }) => !linked.has(name));
  return (
    <Card title={text.title} text={text.text}>
      <div className="body stack near">
        {identities.isPending ? <Skeleton lines={2} /> : null}
        {identities.isError ? (
          <Failure text={sentence(identities.error)} onRetry={() => void identities.refetch()} />
        ) : null}
        {identities.isSuccess && list.length === 0 ? <p className="muted">{text.none}</p> : null}
        <Refusal refused={link.refused} />
      </div>
      <ul className="rows">
        {list.map((identity) => (
          <li key={identity.id}>
            <Icon name="link" />
            <div className="grow">
              <p className="strong cut">
                {identity.title}
                {identity.email === null ? null : (
                  <>
                    {" · "}
                    <bdi>{identity.email}</bdi>
                  </>
                )}
              </p>
              <p className="small muted">{lineOf(identity)}</p>
            </div>
            <Button
              look="quiet"
              label={text.removeLabel(identity.title)}
              onPress={() => setRemoved(identity)}
            >
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
      {identities.isSuccess && others.length > 0 ? (
        <div className="body stack near">
          {others.map(({ name, title }) => (
            <div key={name}>
              <Button
                isBusy={link.isBusy}
                barred={isSecureContext ? undefined : en.signIn.providerInsecure}
                onPress={() => link.send(name)}
              >
                <ProviderMark name={name} />
                {text.link(title)}
              </Button>
            </div>
          ))}
        </div>
      ) : null}
      {removed === null ? null : <Remove identity={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function Remove({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const remove = useWrite({
    run: () => call<undefined>("DELETE", `/auth/identities/${identity.id}`),
    onDone: async () => {
      toast(text.removed(identity.title));
      await client.invalidateQueries(identitiesQuery(user.id));
      onClose();
    },
    onRefused: (error) => {
      if (isCode(error, "SESSION_NOT_FRESH")) leaveTo(signInPath(here()));
    },
  });
  return (
    <Confirm
      title={text.removeTitle(identity.title)}
      text={text.removeText}
      button={text.removeButton}
      isBusy={remove.isBusy}
      refused={remove.refused}
      onConfirm={() => remove.send(undefined)}
      onClose={onClose}
    />
  );
}

function lineOf({ createdAt, lastUsedAt }: Identity): string {
  const used = lastUsedAt === null ? text.neverUsed : text.lastUsed(relative(lastUsedAt));
  return `${text.added(date(createdAt))}, ${used}.`;
}
