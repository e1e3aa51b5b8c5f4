import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { jobsKey } from "../../api/jobs/queries.js";
import { Button } from "../../parts/button/button.js";
import { Title } from "../../parts/page/page.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { Day } from "./day.js";
import { Jobs } from "./jobs.js";
import { Schedules } from "./schedules.js";
import "./screen.css";

const text = enJobs;
const views = ["jobs", "schedule", "day"] as const;

export type JobsView = (typeof views)[number];

/** The app's jobs, for operators: waiting, running and failed ones, schedules, and the last day. */
export default function JobsScreen({ view }: { readonly view: JobsView }) {
  const { user } = useSession();
  const client = useQueryClient();
  const key = jobsKey(user.id);
  const isFetching = useIsFetching({ queryKey: key }) > 0;
  return (
    <div className="scroll">
      <div className="top">
        <Title>{text.title}</Title>
        <Button
          isBusy={isFetching}
          onPress={() => void client.invalidateQueries({ queryKey: key })}
        >
          {text.refresh}
        </Button>
      </div>
      <nav className="tabs" aria-label={text.title}>
        {views.map((one) => (
          <Link
            key={one}
            href={one === "jobs" ? "/jobs" : `/jobs/${one}`}
            aria-current={one === view ? "page" : undefined}
          >
            {text.tabs[one]}
          </Link>
        ))}
      </nav>
      {view === "jobs" ? <Jobs /> : null}
      {view === "schedule" ? <Schedules /> : null}
      {view === "day" ? <Day /> : null}
    </div>
  );
}
