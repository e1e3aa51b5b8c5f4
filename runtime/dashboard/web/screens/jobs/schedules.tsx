import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { jobsKey, type Schedule, scheduleQuery } from "../../api/jobs/queries.js";
import { isNotFresh, sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { useToast } from "../../parts/overlay/toast.js";
import { exactTime, relative } from "../../text/dates.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { soon } from "../../text/job-times.js";
import { State } from "./job-rows.js";
import { Waiting } from "./waiting.js";
import "../../parts/page/table.css";

const text = enJobs.schedule;

/** The schedules, with the outcome of the last job and the next time. */
export function Schedules() {
  const { user } = useSession();
  const schedules = useQuery(scheduleQuery(user.id));
  const [toRun, setToRun] = useState<Schedule | null>(null);
  if (schedules.data === undefined) return <Waiting answer={schedules} />;
  const { data } = schedules.data;
  if (data.length === 0) return <p className="content muted">{text.none}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="table-box" aria-label={enJobs.tabs.schedule} tabIndex={0}>
        <table className="table tall jobs">
          <thead>
            <tr>
              <th scope="col">{text.name}</th>
              <th scope="col" className="wide-only">
                {text.times}
              </th>
              <th scope="col" className="wide-only">
                {text.last}
              </th>
              <th scope="col">{text.next}</th>
              <th scope="col" className="end">
                <span className="hidden">{text.runButton}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((schedule) => (
              <Row key={schedule.name} schedule={schedule} onRun={() => setToRun(schedule)} />
            ))}
          </tbody>
        </table>
      </section>
      {toRun === null ? null : <RunNow schedule={toRun} onClose={() => setToRun(null)} />}
    </>
  );
}

function Row({ schedule, onRun }: { readonly schedule: Schedule; readonly onRun: () => void }) {
  const { name, job, cron, timezone, nextAt } = schedule;
  return (
    <tr>
      <th scope="row" className="cut">
        <bdi>{name}</bdi>
        {name === job ? null : <bdi className="small muted cut of">{job}</bdi>}
        <span className="narrow-only small muted">
          <Last schedule={schedule} />
        </span>
      </th>
      <td className="wide-only">
        <span className="mono">{cron}</span> <span className="small muted">{timezone}</span>
      </td>
      <td className="wide-only">
        <Last schedule={schedule} />
      </td>
      <td>
        <time dateTime={nextAt} title={exactTime(nextAt)}>
          {soon(nextAt)}
        </time>
      </td>
      <td className="end">
        <Button size="small" label={text.runOf(name)} onPress={onRun}>
          {text.run}
        </Button>
      </td>
    </tr>
  );
}

function Last({ schedule: { lastAt, lastState } }: { readonly schedule: Schedule }) {
  if (lastAt === null || lastState === null) return <span className="muted">{text.never}</span>;
  return (
    <>
      <State state={lastState} />{" "}
      <time className="small muted" dateTime={lastAt} title={exactTime(lastAt)}>
        {relative(lastAt)}
      </time>
    </>
  );
}

function RunNow({
  schedule: { name, job },
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const run = useWrite({
    run: () => call<undefined>("POST", `/_service/schedule/${encodeURIComponent(name)}/run`),
    onDone: async () => {
      toast(text.ran(job));
      onClose();
      await client.invalidateQueries({ queryKey: jobsKey(user.id) });
    },
  });
  return (
    <Confirm
      title={text.runTitle(name)}
      text={text.runText(job)}
      button={isNotFresh(run.error) ? enJobs.signInAgain : text.runButton}
      look="primary"
      isBusy={run.isBusy}
      refused={run.refused}
      onConfirm={() => sendOrSignIn(run, undefined)}
      onClose={onClose}
    />
  );
}
