import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { resourcesQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import {
  accountActivityQuery,
  activityKey,
  failuresQuery,
  recordActivityQuery,
} from "../../api/changes/activity.js";
import { sentence } from "../../api/client/errors.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { Failure, Skeleton, Title } from "../../parts/page/page.js";
import "../../parts/page/panel.css";
import "../../parts/page/table.css";
import { now, time } from "../../text/dates.js";
import { enActivity } from "../../text/en/operators/activity.js";
import { AccountPanel } from "./accounts.js";
import { FailurePanel } from "./failures.js";
import { RecordPanel } from "./records.js";
import "./screen.css";

const text = enActivity;

/** The periods in hours. The default is a day, which includes last night. */
const periods = ["1", "12", "24", "168"] as const;
const usual = "24";

/** Recent activity for operators: failures, records and accounts on one page. */
export default function Activity() {
  const { user, operator } = useSession();
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const hours = periods.find((one) => one === search.get("hours")) ?? usual;
  // Fixed until the user refreshes, so that the panels and the lists that they link to show the same records.
  const [at, setAt] = useState(now);
  const since = new Date(at - Number(hours) * 3_600_000).toISOString();
  const refresh = () => {
    client.removeQueries({ queryKey: activityKey(user.id), type: "inactive" });
    setAt(now());
  };
  return (
    <div className="scroll">
      <div className="top">
        <div>
          <Title>{text.title}</Title>
          {operator ? <p className="small muted">{text.since(time(since))}</p> : null}
        </div>
        {operator ? (
          <div className="row">
            <Choice
              label={text.period}
              isLabelHidden
              value={hours}
              onChange={(value) => setSearch({ hours: value }, { replace: true })}
              options={periods.map((one) => ({ value: one, label: text.periods[one] }))}
            />
            <Button onPress={refresh}>{text.refresh}</Button>
          </div>
        ) : null}
      </div>
      <div className="content activity">
        {operator ? <Panels since={since} /> : <p className="muted">{text.forbidden}</p>}
      </div>
    </div>
  );
}

/** All panels appear together, so that none of them shifts another. */
function Panels({ since }: { readonly since: string }) {
  const { user, resources, parts } = useSession();
  const known = useQuery(resourcesQuery(user.id));
  const enabled = { enabled: known.isSuccess };
  const failures = useQuery({ ...failuresQuery(user.id, parts, since), ...enabled });
  const records = useQuery({ ...recordActivityQuery(user.id, resources, since), ...enabled });
  const events = useQuery(accountActivityQuery(user.id, since));
  if (known.isError) {
    return <Failure text={sentence(known.error)} onRetry={() => void known.refetch()} />;
  }
  if ([failures, records, events].some(({ isPending }) => isPending))
    return <Skeleton lines={12} />;
  return (
    <>
      {parts.includes("jobs") || parts.includes("webhooks") ? (
        <FailurePanel answer={failures} />
      ) : null}
      <RecordPanel answer={records} since={since} />
      <AccountPanel answer={events} />
    </>
  );
}
