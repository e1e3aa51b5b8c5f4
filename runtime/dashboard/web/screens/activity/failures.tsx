import { Link } from "wouter";
import type { FailingWebhook, Failures } from "../../api/changes/activity.js";
import type { Job } from "../../api/jobs/queries.js";
import { Tag } from "../../parts/page/page.js";
import { exactTime, relative } from "../../text/dates.js";
import { enActivity } from "../../text/en/operators/activity.js";
import { count } from "../../text/format.js";
import { type Answer, Panel } from "./panel.js";

const text = enActivity;
/** Maximum number of jobs listed; the jobs page has all. */
const mostListed = 10;

/** Jobs and webhook deliveries that failed. */
export function FailurePanel({ answer }: { readonly answer: Answer<Failures> }) {
  const failed = answer.data?.jobs.items ?? [];
  const more = { href: "/jobs?filter[state]=failed", label: text.allJobs };
  return (
    <Panel title={text.failures} answer={answer} more={failed.length === 0 ? undefined : more}>
      {({ jobs, webhooks }) =>
        jobs.items.length + webhooks.length === 0 ? (
          <p className="body muted">{text.noFailures}</p>
        ) : (
          <ul className="rows">
            {jobs.items.slice(0, mostListed).map((job) => (
              <FailedJob key={job.id} job={job} />
            ))}
            {webhooks.map((one) => (
              <Failing key={one.webhook.id} failing={one} />
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function FailedJob({ job: { name, error, at, startedAt } }: { readonly job: Job }) {
  const when = startedAt ?? at;
  const query = new URLSearchParams({ "filter[name]": name, "filter[state]": "failed" });
  return (
    <li>
      <Tag look="bad">{text.job}</Tag>
      <span className="grow">
        <Link href={`/jobs?${query}`}>
          <bdi>{name}</bdi>
        </Link>{" "}
        <bdi className="small muted">{error?.split("\n")[0] ?? ""}</bdi>
      </span>
      <time className="small muted" dateTime={when} title={exactTime(when)}>
        {relative(when)}
      </time>
    </li>
  );
}

function Failing({ failing: { webhook, failed } }: { readonly failing: FailingWebhook }) {
  const [last] = failed.items;
  const many = count(failed.items.length);
  const shown = failed.isPart ? text.atLeast(many) : many;
  return (
    <li>
      <Tag look="bad">{text.webhook}</Tag>
      <span className="grow">
        <Link href={`/webhooks/${webhook.id}`}>
          <bdi>{webhook.url}</bdi>
        </Link>{" "}
        <span className="small muted">
          {text.deliveries(failed.items.length, shown)},{" "}
          {last === undefined || last.status === null ? text.noAnswer : text.responded(last.status)}
        </span>
      </span>
      {last === undefined ? null : (
        <time className="small muted" dateTime={last.at} title={exactTime(last.at)}>
          {relative(last.at)}
        </time>
      )}
    </li>
  );
}
