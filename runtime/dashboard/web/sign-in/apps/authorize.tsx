import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, Redirect } from "wouter";
import { type AppRequest, appRequestQuery, decide } from "../../api/account/apps.js";
import { meQuery } from "../../api/account/queries.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Me } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { here, leaveForApp, signInPath } from "../../browser/address/address.js";
import { Button } from "../../parts/button/button.js";
import { Switch } from "../../parts/form/switch.js";
import { appName, Failure, SignedOutPage, Skeleton } from "../../parts/page/page.js";
import { Notice, Refusal } from "../../parts/status/notice.js";
import { enAuthorize } from "../../text/en/sign-in/authorize.js";

const text = enAuthorize;

/**
 * The page that an app opens, on which the user decides whether the app may act for the account. The user is asked
 * every time.
 */
export default function Authorize() {
  const me = useQuery(meQuery);
  if (isStatus(me.error, 401)) return <Redirect to={signInPath(here())} replace />;
  if (me.data !== undefined) return <OfPerson me={me.data} />;
  return (
    <SignedOutPage title={appName()}>
      {me.isPending ? (
        <Skeleton />
      ) : (
        <Failure text={sentence(me.error)} onRetry={() => void me.refetch()} />
      )}
    </SignedOutPage>
  );
}

function OfPerson({ me }: { readonly me: Me }) {
  const [query] = useState(() => location.search.slice(1));
  const [isLeaving, setLeaving] = useState(false);
  const request = useQuery(appRequestQuery(me.user.id, query));
  const leave = (address: string) => {
    setLeaving(true);
    leaveForApp(address);
  };
  const back =
    request.data !== undefined && "redirectTo" in request.data ? request.data.redirectTo : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser leaves once
  useEffect(() => {
    if (back !== null) leave(back);
  }, [back]);

  if (isLeaving || back !== null) {
    return <SignedOutPage title={text.done} text={text.doneText} />;
  }
  if (isStatus(request.error, 401)) return <Redirect to={signInPath(here())} replace />;
  if (request.isError && !isStatus(request.error, 400)) {
    return (
      <SignedOutPage title={text.title}>
        <Failure text={sentence(request.error)} onRetry={() => void request.refetch()} />
      </SignedOutPage>
    );
  }
  if (request.isError) {
    return (
      <SignedOutPage title={text.refused} text={text.refusedText}>
        <Notice look="bad">
          <p>{sentence(request.error)}</p>
        </Notice>
      </SignedOutPage>
    );
  }
  if (request.data === undefined || "redirectTo" in request.data) {
    return (
      <SignedOutPage title={text.title}>
        <Skeleton />
      </SignedOutPage>
    );
  }
  return <Question me={me} query={query} request={request.data} onLeave={leave} />;
}

interface QuestionProps {
  readonly me: Me;
  readonly query: string;
  readonly request: AppRequest;
  readonly onLeave: (address: string) => void;
}

function Question({ me, query, request, onLeave }: QuestionProps) {
  const { client, redirectHost, scope } = request;
  const [isReading, setReading] = useState(false);
  const isLocal = localHost.test(redirectHost);
  const write = useWrite({
    run: ({ allow }: { readonly allow: boolean }) =>
      decide(query, { allow, ...(isReading && { scope: "read" as const }) }),
    onDone: ({ redirectTo }) => onLeave(redirectTo),
  });
  const foot = (
    <>
      {text.as(me.user.email)} <Link href={signInPath(here())}>{text.other}</Link>
    </>
  );
  return (
    <SignedOutPage title={text.title} text={text.asks} foot={foot}>
      <dl className="hosts">
        <div>
          <dd>
            <bdi>{client.host}</bdi>
          </dd>
          <dd className="small muted">
            {client.name === null ? text.unnamed : text.named(client.name)}
          </dd>
        </div>
        {redirectHost === client.host ? null : (
          <div>
            <dt className="small muted">{text.sendsTo}</dt>
            <dd>
              <bdi>{isLocal ? text.thisComputer : redirectHost}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {isLocal ? (
        <Notice look="warn">
          <p>{text.local}</p>
        </Notice>
      ) : null}
      <div className="stack near">
        <p className="strong">{text.may}</p>
        <ul className="grants">
          <li>{text.read}</li>
          {scope === "read" || isReading ? null : <li>{text.write}</li>}
        </ul>
        <p className="small muted">{text.never}</p>
      </div>
      {scope === "read" ? null : (
        <Switch id="only-read" label={text.onlyRead} isOn={isReading} onChange={setReading} />
      )}
      <Refusal refused={write.refused} />
      <div className="stack near">
        <Button
          look="primary"
          isWide
          isBusy={write.isBusy}
          onPress={() => write.send({ allow: true })}
        >
          {text.allow}
        </Button>
        <Button isWide isBusy={write.isBusy} onPress={() => write.send({ allow: false })}>
          {text.deny}
        </Button>
      </div>
    </SignedOutPage>
  );
}

const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
