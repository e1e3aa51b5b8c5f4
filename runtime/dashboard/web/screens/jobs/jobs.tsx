import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { allOf } from "../../api/client/pages.js";
import {
  type Job,
  jobFilters,
  jobStates,
  jobsKey,
  jobsPath,
  jobsQuery,
  jobTotalsQuery,
} from "../../api/jobs/queries.js";
import { EachDialog } from "../../form/each.js";
import { Totals } from "../../form/totals.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { JobDialog } from "./job-dialog.js";
import { JobRows } from "./job-rows.js";
import { Waiting } from "./waiting.js";

const text = enJobs;

/** The unfinished jobs, newest first. */
export function Jobs() {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Job | null>(null);
  const name = search.get("filter[name]") ?? "";
  const state = jobStates.find((one) => one === search.get("filter[state]")) ?? "";
  // In the address, so that the filter survives going back and a reload.
  const ask = (next: Readonly<Record<string, string>>) =>
    setSearch(printed({ "filter[name]": name, "filter[state]": state, ...next }), {
      replace: true,
    });
  const query = printed({ "filter[name]": name, "filter[state]": state }).toString();
  const jobs = useInfiniteQuery(jobsQuery(user.id, query));
  const totals = useQuery(jobTotalsQuery(user.id, name));
  const client = useQueryClient();
  const [isRetrying, setRetrying] = useState(false);
  const failed = totals.data?.find((one) => one.state === "failed")?.count ?? 0;
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
            ...jobStates.map((one) => ({ value: one, label: text.stateIs(text.states[one]) })),
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
        <Totals totals={totals.data} words={text.states} />
        {failed > 0 && (state === "" || state === "failed") ? (
          <Button onPress={() => setRetrying(true)}>{text.retryAll}</Button>
        ) : null}
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
      {isRetrying ? (
        <EachDialog
          title={text.retryAllTitle(name === "" ? null : name)}
          text={text.retryAllText}
          button={text.retryAll}
          find={async (signal) => {
            const all = await allOf<Job>(jobsPath, jobFilters(name, "failed"), signal);
            return all.map((job) => ({ id: job.id, title: job.name }));
          }}
          run={({ id }) => call<undefined>("POST", `${jobsPath}/${id}/retry`)}
          onClose={() => {
            setRetrying(false);
            void client.invalidateQueries({ queryKey: jobsKey(user.id) });
          }}
        />
      ) : null}
      {opened === null ? null : <JobDialog job={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function printed(filters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
}
