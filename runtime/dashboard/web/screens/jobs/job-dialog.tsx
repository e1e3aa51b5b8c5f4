import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { type Job, jobsKey } from "../../api/jobs/queries.js";
import { isNotFresh, sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { ConfirmHere } from "../../parts/overlay/confirm.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Refusal } from "../../parts/status/notice.js";
import { exactTime } from "../../text/dates.js";
import { enJobs } from "../../text/en/operators/jobs.js";
import { State, triesOf } from "./job-rows.js";

const text = enJobs;

export interface JobDialogProps {
  readonly job: Job;
  readonly onClose: () => void;
}

/** A job, why its last attempt failed, and the possible actions. */
export function JobDialog({ job, onClose }: JobDialogProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [isDeleting, setDeleting] = useState(false);
  const after = (said: string) => async () => {
    toast(said);
    onClose();
    await client.invalidateQueries({ queryKey: jobsKey(user.id) });
  };
  const path = `/_service/jobs/${job.id}`;
  const retry = useWrite({
    run: () => call<undefined>("POST", `${path}/retry`),
    onDone: after(text.retried(job.name)),
  });
  const remove = useWrite({
    run: () => call<undefined>("DELETE", path),
    onDone: after(text.deleted(job.name)),
  });
  return (
    <Dialog title={job.name} onClose={onClose} closesOutside>
      <Facts job={job} />
      {isDeleting ? (
        <ConfirmHere
          title={text.deleteTitle(job.name)}
          text={job.state === "failed" ? text.deleteFailed : text.deleteWaiting}
          button={isNotFresh(remove.error) ? text.signInAgain : text.deleteButton}
          isBusy={remove.isBusy}
          refused={remove.refused}
          onConfirm={() => sendOrSignIn(remove, undefined)}
          onClose={() => setDeleting(false)}
        />
      ) : (
        <>
          {job.state === "running" ? <p className="small muted">{text.runs}</p> : null}
          <Refusal refused={retry.refused} />
          <div className="actions">
            {job.state === "running" ? null : (
              <Button look="quiet-danger" onPress={() => setDeleting(true)}>
                {text.delete}
              </Button>
            )}
            {job.state === "failed" ? (
              <Button
                look="primary"
                isBusy={retry.isBusy}
                onPress={() => sendOrSignIn(retry, undefined)}
              >
                {isNotFresh(retry.error) ? text.signInAgain : text.retry}
              </Button>
            ) : null}
          </div>
        </>
      )}
    </Dialog>
  );
}

function Facts({ job }: { readonly job: Job }) {
  return (
    <>
      <dl className="facts">
        <dt>{text.state}</dt>
        <dd>
          <State state={job.state} />
        </dd>
        <dt>{text.tries}</dt>
        <dd className="num">{triesOf(job)}</dd>
        {job.key === null ? null : (
          <>
            <dt>{text.key}</dt>
            <dd>
              <bdi>{job.key}</bdi>
            </dd>
          </>
        )}
        <dt>{text.added}</dt>
        <dd>{exactTime(job.createdAt)}</dd>
        {job.startedAt === null ? null : (
          <>
            <dt>{text.beganLabel}</dt>
            <dd>{exactTime(job.startedAt)}</dd>
          </>
        )}
        {job.state === "waiting" ? (
          <>
            <dt>{text.dueLabel}</dt>
            <dd>{exactTime(job.at)}</dd>
          </>
        ) : null}
        <dt>{text.id}</dt>
        <dd className="mono">{job.id}</dd>
      </dl>
      {job.error === null ? (
        <p className="small muted">{text.noError}</p>
      ) : (
        <section className="stack near" aria-label={text.lastError}>
          <h3>{text.lastError}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys as well */}
          <pre className="job-error mono" tabIndex={0}>
            {job.error}
          </pre>
        </section>
      )}
    </>
  );
}
