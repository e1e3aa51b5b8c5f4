import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../api/account/session.js";
import { type HourOfJobs, hoursQuery } from "../../api/jobs/queries.js";
import { summaryOf } from "../../charts/summary.js";
import { type Bar, Columns } from "../../parts/chart/chart.js";
import { ChartPanel } from "../../parts/page/panel.js";
import { zone } from "../../text/dates.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { count, rough } from "../../text/format.js";
import { hourName } from "../../text/job-times.js";
import { Waiting } from "./waiting.js";

const text = enJobs.day;

/** The numbers of successful and failed attempts in each hour of the last day. */
export function Day() {
  const { user } = useSession();
  const answer = useQuery(hoursQuery(user.id));
  if (answer.data === undefined) return <Waiting answer={answer} />;
  const hours = answer.data.data;
  const total = (of: "done" | "failed") => {
    const sum = hours.reduce((former, hour) => former + hour[of], 0);
    return { count: sum, shown: count(sum) };
  };
  return (
    <div className="content">
      <p>{text.total(total("done"), total("failed"))}</p>
      <div className="panels">
        <Chart title={text.done} hours={hours} of="done" />
        <Chart title={text.failed} hours={hours} of="failed" />
      </div>
    </div>
  );
}

function Chart({
  title,
  hours,
  of,
}: {
  readonly title: string;
  readonly hours: readonly HourOfJobs[];
  readonly of: "done" | "failed";
}) {
  const bars = hours.map((hour, at): Bar => {
    const { short, whole } = hourName(hour.at);
    const isOpen = at === hours.length - 1;
    return { key: hour.at, label: short, whole, value: hour[of], isOpen };
  });
  return (
    <ChartPanel
      title={title}
      note={text.note(zone())}
      heads={[text.hour, text.count]}
      bars={bars}
      print={count}
    >
      <Columns bars={bars} summary={summaryOf(title, bars, count)} axis={rough} print={count} />
    </ChartPanel>
  );
}
