import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import { healthQuery, type ServerStatus, statusQuery } from "../../api/server/status.js";
import { Button } from "../../parts/button/button.js";
import { Switch } from "../../parts/form/switch.js";
import { Failure, Skeleton, Title } from "../../parts/page/page.js";
import "../../parts/page/panel.css";
import { exactTime } from "../../text/dates.js";
import { enStatus } from "../../text/en/operators/status.js";
import { Figures } from "./figures.js";
import { HealthCard } from "./health.js";
import { ByMinute } from "./minutes.js";
import "./screen.css";
import { Sizes } from "./sizes.js";
import { Slow } from "./slow.js";

const text = enStatus;

/** The polling interval of the live mode, in milliseconds. */
const liveMs = 10_000;

/** The state of the server, for operators. */
export default function Status() {
  const { user, operator } = useSession();
  // Off by default: users must choose a page that updates itself.
  const [isLive, setLive] = useState(false);
  const everyMs = isLive ? liveMs : false;
  const status = useQuery({ ...statusQuery(user.id, everyMs), enabled: operator });
  const health = useQuery({ ...healthQuery(user.id, everyMs), enabled: operator });
  const isBarred = !operator || isStatus(status.error, 403);
  // Both are displayed at once, so that neither shifts the other.
  const isComing = !isBarred && (status.isPending || health.isPending);
  const refresh = () => {
    void status.refetch();
    void health.refetch();
  };
  return (
    <>
      <div className="top">
        <div>
          <Title>{text.title}</Title>
          {isBarred ? null : (
            <p className="small muted">
              {status.data === undefined
                ? text.unknown
                : text.asked(exactTime(new Date(status.dataUpdatedAt).toISOString()))}
            </p>
          )}
        </div>
        {isBarred ? null : (
          <div className="row refreshing">
            <Switch id="live" label={text.live} isOn={isLive} onChange={setLive} />
            <Button isBusy={status.isFetching} onPress={refresh}>
              {text.refresh}
            </Button>
          </div>
        )}
      </div>
      <div className="content status">
        {isBarred ? <p className="muted">{text.forbidden}</p> : null}
        {status.isError && !isBarred ? (
          <Failure text={sentence(status.error)} onRetry={refresh} />
        ) : null}
        {isComing ? <Skeleton lines={12} /> : null}
        {isBarred || isComing ? null : <HealthCard health={health.data} status={status.data} />}
        {isBarred || isComing || status.data === undefined ? null : (
          <Numbers status={status.data} />
        )}
      </div>
    </>
  );
}

function Numbers({ status }: { readonly status: ServerStatus }) {
  return (
    <>
      <Figures status={status} />
      <div className="panels">
        <ByMinute minutes={status.requests.minutes} />
        <Sizes tables={status.tables} />
        <Slow statements={status.slow} />
      </div>
    </>
  );
}
