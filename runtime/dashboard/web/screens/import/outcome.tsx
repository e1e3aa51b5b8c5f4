import { Link } from "wouter";
import type { Resource } from "../../api/client/types.js";
import type { Progress as Run } from "../../api/records/batches.js";
import { listPath, may, things } from "../../api/records/descriptors.js";
import { Button } from "../../parts/button/button.js";
import { Notice } from "../../parts/status/notice.js";
import { Progress } from "../../parts/status/progress.js";
import { enImport } from "../../text/en/import.js";
import { count } from "../../text/format.js";
import type { Checked, Found, Problem } from "./check.js";
import { Preview } from "./preview.js";
import { Problems } from "./problems.js";
import { useRun } from "./use-run.js";

const text = enImport;

export interface OutcomeProps {
  readonly resource: Resource;
  readonly result: Checked;
  readonly found: Found;
  readonly name: string;
  readonly onStart: () => void;
}

/** The result of the check, and the import itself with its report. */
export function Outcome({ resource, result, found, name, onStart }: OutcomeProps) {
  const { operations, problems, refusedRows } = result;
  const { progress, left, start, stop, again } = useRun(result);
  const sound = text.rows(operations.length, count(operations.length));
  return (
    <>
      <section className="stack" aria-labelledby="check">
        <h2 id="check">{text.check}</h2>
        <p className="muted prose">
          {text.checkText}
          {progress === null ? ` ${text.nothingSent}` : null}
        </p>
        <p role="status">
          {text.sound(sound)}
          {refusedRows === 0 ? null : ` ${text.faulty(text.rows(refusedRows, count(refusedRows)))}`}
        </p>
        <Problems title={text.problems} problems={problems} file={`${name}.problems.csv`} />
        {progress === null ? (
          <>
            <Preview resource={resource} operations={operations} found={found} />
            <div>
              <Button
                look="primary"
                barred={operations.length === 0 ? text.nothing : undefined}
                onPress={() => {
                  onStart();
                  start();
                }}
              >
                {text.start(sound)}
              </Button>
            </div>
          </>
        ) : null}
      </section>
      {progress === null ? null : (
        <section className="stack" aria-labelledby="run">
          <h2 id="run">{text.run}</h2>
          <Progress
            label={labelOf(progress)}
            value={progress.written + progress.refused.length}
            total={progress.total}
            words={text.progress(
              count(progress.written + progress.refused.length),
              count(progress.total),
            )}
          />
          {progress.kind === "held" ? (
            <Notice look="bad">
              <p role="alert">{`${progress.problem} ${text.paused}`}</p>
            </Notice>
          ) : null}
          {progress.kind === "ended" ? <Report progress={progress} /> : null}
          <div className="row wrap">
            {progress.kind === "held" ? (
              <Button look="primary" onPress={again}>
                {text.goOn}
              </Button>
            ) : null}
            {progress.kind === "running" || progress.kind === "held" ? (
              <Button onPress={stop}>{text.stop}</Button>
            ) : null}
            {progress.kind === "ended" && left > 0 ? (
              <Button look="primary" onPress={start}>
                {text.goOn}
              </Button>
            ) : null}
            {progress.kind === "ended" && may(resource, "list") ? (
              <Link className="button" href={listPath(resource)}>
                {text.open(things(resource))}
              </Link>
            ) : null}
          </div>
          <Problems
            title={text.refusals}
            problems={refusalsOf(progress)}
            file={`${name}.errors.csv`}
          />
        </section>
      )}
    </>
  );
}

function labelOf({ kind }: Run): string {
  if (kind === "ended") return text.sent;
  return kind === "stopping" ? text.stopping : text.running;
}

/** The refusals in file order; the message names the field. */
function refusalsOf({ refused }: Run): readonly Problem[] {
  return refused
    .map(({ title, reason }) => ({ line: Number(title), column: "", cell: "", message: reason }))
    .sort((one, other) => one.line - other.line);
}

function Report({ progress }: { readonly progress: Run }) {
  const { total, written, refused } = progress;
  const answered = written + refused.length;
  return (
    <div role="status">
      <Notice look={written === total ? "good" : "warn"}>
        <p>
          {answered === total ? null : `${text.stopped(count(answered), count(total))} `}
          {text.done(text.rows(written, count(written)))}
          {refused.length === 0
            ? null
            : ` ${text.refusedRows(text.rows(refused.length, count(refused.length)))}`}
        </p>
      </Notice>
    </div>
  );
}
