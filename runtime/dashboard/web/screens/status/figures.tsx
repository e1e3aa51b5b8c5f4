import type { ReactNode } from "react";
import type { Minute, ServerStatus } from "../../api/server/status.js";
import { type Bar, Spark } from "../../parts/chart/chart.js";
import "../../parts/chart/tile.css";
import { enStatus } from "../../text/en/operators/status.js";
import { decimal } from "../../text/figures.js";
import { count, size } from "../../text/format.js";

const text = enStatus;

export function Figures({ status }: { readonly status: ServerStatus }) {
  const { requests, mails, database, storage, migrations } = status;
  const { minutes, p50, p99 } = requests;
  const sum = (of: (minute: Minute) => number) =>
    count(minutes.reduce((all, minute) => all + of(minute), 0));
  return (
    <section aria-labelledby="figures">
      <h2 className="hidden" id="figures">
        {text.figures}
      </h2>
      <ul className="tiles">
        <Figure
          name={text.requests}
          value={decimal(requests.perSecond)}
          line={text.requestsLine(sum((minute) => minute.count))}
          bars={barsOf(minutes, (minute) => minute.count)}
        />
        <Figure
          name={text.errors}
          value={sum((minute) => minute.failed)}
          line={text.errorsLine(decimal(requests.failedPerSecond))}
          bars={barsOf(minutes, (minute) => minute.failed)}
        />
        <Figure
          name={text.duration}
          value={p99 === null ? null : milliseconds(p99)}
          line={p50 === null ? text.noRequests : text.durationLine(milliseconds(p50))}
          bars={barsOf(minutes, (minute) => minute.p99)}
        />
        <Figure name={text.mails} value={count(mails.waiting)} line={text.mailsLine} />
        <Figure
          name={text.connections}
          value={count(database.connections)}
          line={text.connectionsLine(count(database.maxConnections))}
        />
        <Figure
          name={text.database}
          value={size(database.bytes)}
          line={text.databaseLine(database.version)}
        />
        <Figure
          name={text.files}
          value={size(storage.bytes)}
          line={text.filesLine(count(storage.files))}
        />
        <Figure
          name={text.migrations}
          value={count(migrations.pending)}
          line={
            migrations.pending > 0 ? text.migrate : text.migrationsLine(count(migrations.applied))
          }
        />
      </ul>
    </section>
  );
}

function Figure({
  name,
  value,
  line,
  bars,
}: {
  readonly name: string;
  /** Null if there is none. */
  readonly value: string | null;
  readonly line: ReactNode;
  readonly bars?: readonly Bar[];
}) {
  return (
    <li>
      <div className="card tile">
        <span className="small muted">{name}</span>
        <span className="figure">
          {value ?? (
            <>
              <span aria-hidden="true">–</span>
              <span className="hidden">{text.none}</span>
            </>
          )}
        </span>
        <span className="small muted">{line}</span>
        {bars === undefined ? null : <Spark bars={bars} />}
      </div>
    </li>
  );
}

export function milliseconds(value: number): string {
  return text.milliseconds(value < 10 ? decimal(value, 1) : count(Math.round(value)));
}

function barsOf(minutes: readonly Minute[], of: (minute: Minute) => number | null): readonly Bar[] {
  return minutes.map((minute, at) => ({
    key: minute.at,
    label: minute.at,
    value: of(minute),
    isOpen: at === minutes.length - 1,
  }));
}
