import type { Job } from "../../api/jobs/queries.js";
import { Button } from "../../parts/button/button.js";
import { Tag } from "../../parts/page/page.js";
import { exactTime, now, relative } from "../../text/dates.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { count } from "../../text/format.js";
import { soon } from "../../text/job-times.js";
import "../../parts/page/table.css";

const text = enJobs;

export interface JobRowsProps {
  readonly jobs: readonly Job[];
  readonly onOpen: (job: Job) => void;
}

export function JobRows({ jobs, onOpen }: JobRowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.title} tabIndex={0}>
      <table className="table jobs">
        <thead>
          <tr>
            <th scope="col">{text.job}</th>
            <th scope="col">{text.state}</th>
            <th scope="col" className="wide-only end">
              {text.tries}
            </th>
            <th scope="col" className="wide-only">
              {text.when}
            </th>
            <th scope="col" className="wide-only">
              {text.error}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td className="cut">
                <Button look="quiet" className="name" onPress={() => onOpen(job)}>
                  <bdi>{job.name}</bdi>
                </Button>
                <span className="narrow-only small muted cut">{firstLine(job)}</span>
              </td>
              <td>
                <State state={job.state} />
                <span className="narrow-only small muted">
                  <When job={job} />
                </span>
              </td>
              <td className="wide-only end">{triesOf(job)}</td>
              <td className="wide-only muted">
                <When job={job} />
              </td>
              <td className="wide-only cut">
                <bdi>{firstLine(job)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function State({ state }: { readonly state: Job["state"] | "done" }) {
  if (state === "failed") return <Tag look="bad">{text.states.failed}</Tag>;
  return <Tag>{text.states[state]}</Tag>;
}

export function triesOf({ attempt, tries }: Job): string {
  return text.triesOf(count(attempt), count(tries));
}

function firstLine({ error }: Job): string {
  return error?.split("\n")[0] ?? "";
}

/** When a job is due, or when it was attempted. */
function When({ job: { state, at, startedAt } }: { readonly job: Job }) {
  if (state === "waiting") {
    return (
      <time dateTime={at} title={exactTime(at)}>
        {new Date(at).getTime() <= now() ? text.overdue : text.due(soon(at))}
      </time>
    );
  }
  if (startedAt === null) return null;
  const said = relative(startedAt);
  return (
    <time dateTime={startedAt} title={exactTime(startedAt)}>
      {state === "running" ? text.began(said) : text.failedAt(said)}
    </time>
  );
}
