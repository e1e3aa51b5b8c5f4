import type { Minute } from "../../api/server/status.js";
import { summaryOf } from "../../charts/summary.js";
import { type Bar, Columns } from "../../parts/chart/chart.js";
import { ChartPanel } from "../../parts/page/panel.js";
import { timeOfDay } from "../../text/dates.js";
import { enStatus } from "../../text/en/operators/status.js";
import { count, rough } from "../../text/format.js";
import { milliseconds } from "./figures.js";

const text = enStatus;

/** The requests of the last hour: number, failures and duration. */
export function ByMinute({ minutes }: { readonly minutes: readonly Minute[] }) {
  return (
    <>
      <Hour
        title={text.charts.requests}
        note={text.lastHour}
        bars={barsOf(minutes, (minute) => minute.count)}
        print={count}
        isWide
      />
      <Hour
        title={text.charts.errors}
        note={text.errorsNote}
        bars={barsOf(minutes, (minute) => minute.failed)}
        print={count}
      />
      <Hour
        title={text.charts.duration}
        note={text.durationNote}
        bars={barsOf(minutes, (minute) => minute.p99)}
        print={milliseconds}
      />
    </>
  );
}

function Hour({
  title,
  note,
  bars,
  print,
  isWide = false,
}: {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly Bar[];
  readonly print: (value: number) => string;
  readonly isWide?: boolean;
}) {
  const heads = [text.minute, title] as const;
  return (
    <ChartPanel title={title} note={note} heads={heads} bars={bars} print={print} isWide={isWide}>
      <Columns bars={bars} summary={summaryOf(title, bars, print)} axis={rough} print={print} />
    </ChartPanel>
  );
}

function barsOf(minutes: readonly Minute[], of: (minute: Minute) => number | null): readonly Bar[] {
  return minutes.map((minute, at) => ({
    key: minute.at,
    label: timeOfDay(minute.at),
    value: of(minute),
    isOpen: at === minutes.length - 1,
  }));
}
