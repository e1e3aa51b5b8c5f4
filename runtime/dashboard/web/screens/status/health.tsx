import type { Health, ServerStatus } from "../../api/server/status.js";
import { Tag } from "../../parts/page/page.js";
import { time } from "../../text/dates.js";
import { enStatus } from "../../text/en/operators/status.js";
import { count } from "../../text/format.js";

const text = enStatus;
const checks = ["database", "migrations", "storage", "mailer"] as const;
const looks = { ok: "good", failing: "bad", draining: "warn" } as const;

/** The health that load balancers see, and which version has been running since when. */
export function HealthCard({
  health,
  status,
}: {
  readonly health: Health | undefined;
  readonly status: ServerStatus | undefined;
}) {
  const isFailing = checks.some((check) => health?.checks[check] === "failing");
  return (
    <section className="card health" aria-labelledby="health">
      <div className="head">
        <div className="grow">
          <h2 id="health">{text.health}</h2>
          {status === undefined ? null : <About status={status} />}
        </div>
        {health === undefined ? null : (
          <Tag look={looks[health.status]}>{text.whole[health.status]}</Tag>
        )}
      </div>
      <ul className="rows">
        {checks.map((check) => (
          <li key={check}>
            <span className="grow">{text.checks[check]}</span>
            {health === undefined ? (
              <span className="muted">{text.unknown}</span>
            ) : (
              <State state={health.checks[check]} />
            )}
          </li>
        ))}
      </ul>
      {isFailing ? <p className="body small muted">{text.seeLog}</p> : null}
    </section>
  );
}

function About({ status }: { readonly status: ServerStatus }) {
  const { version, processes, startedAt } = status;
  const many = text.processes(processes, count(processes));
  return <p className="small muted">{text.about(version, many, time(startedAt))}</p>;
}

function State({ state }: { readonly state: Health["checks"]["database"] }) {
  if (state === "off") return <Tag>{text.states.off}</Tag>;
  return <Tag look={looks[state]}>{text.states[state]}</Tag>;
}
