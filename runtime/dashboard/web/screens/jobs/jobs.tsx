import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import { type Job, jobsQuery } from "../../api/jobs/queries.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { JobDialog } from "./job-dialog.js";
import { JobRows } from "./job-rows.js";
import { Waiting } from "./waiting.js";

const text = enJobs;
const states = ["waiting", "running", "failed"] as const;

/** The jobs that are not done, newest first. */
export function Jobs() {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Job | null>(null);
  const name = search.get("filter[name]") ?? "";
  const state = states.find((one) => one === search.get("filter[state]")) ?? "";
  // In the address, so that the filter survives going back and a reload.
  const ask = (next: Readonly<Record<string, string>>) =>
    setSearch(printed({ "filter[name]": name, "filter[state]": state, ...next }), {
      replace: true,
    });
  const query = printed({ "filter[name]": name, "filter[state]": state }).toString();
  const jobs = useInfiniteQuery(jobsQuery(user.id, query));
  const list = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  const names = [...new Set([name, ...list.map((job) => job.name)])].filter((one) => one !== "");
  if (jobs.data === undefined) return <Waiting answer={jobs} />;
  return (
    <>
      <div className="tools">
        <Choice
          label={text.state}
          isLabelHidden
          value={state}
          onChange={(value) => ask({ "filter[state]": value })}
          options={[
            { value: "", label: text.stateIs(text.any) },
            ...states.map((one) => ({ value: one, label: text.stateIs(text.states[one]) })),
          ]}
        />
        <Choice
          label={text.job}
          isLabelHidden
          value={name}
          onChange={(value) => ask({ "filter[name]": value })}
          options={[
            { value: "", label: text.nameIs(text.any) },
            ...names.toSorted().map((one) => ({ value: one, label: text.nameIs(one) })),
          ]}
        />
      </div>
      {list.length === 0 ? (
        <div className="content">
          <p className="muted">{query === "" ? text.none : text.noneSuch}</p>
          {query === "" ? null : (
            <div>
              <Button onPress={() => ask({ "filter[name]": "", "filter[state]": "" })}>
                {text.showAll}
              </Button>
            </div>
          )}
        </div>
      ) : (
        <JobRows jobs={list} onOpen={setOpened} />
      )}
      {jobs.hasNextPage ? (
        <div className="content">
          <div>
            <Button isBusy={jobs.isFetchingNextPage} onPress={() => void jobs.fetchNextPage()}>
              {text.more}
            </Button>
          </div>
        </div>
      ) : null}
      {opened === null ? null : <JobDialog job={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function printed(filters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
}
