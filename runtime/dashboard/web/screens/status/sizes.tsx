import { useSession } from "../../api/account/session.js";
import type { TableSize } from "../../api/server/status.js";
import { type Bar, Rows } from "../../parts/chart/chart.js";
import { ChartPanel } from "../../parts/page/panel.js";
import { enStatus } from "../../text/en/operators/status.js";
import { count, size } from "../../text/format.js";

const text = enStatus;

/** The number of bars that are easy to compare; the table has all sizes. */
const most = 12;

/** The tables by size and by records, largest first. */
export function Sizes({ tables }: { readonly tables: readonly TableSize[] }) {
  const { resources } = useSession();
  const bars = (of: (table: TableSize) => number): readonly Bar[] =>
    tables
      .toSorted((one, other) => of(other) - of(one))
      .map((table) => ({
        key: table.resource,
        // An operator may not list every resource.
        label: resources.find(({ name }) => name === table.resource)?.label ?? table.resource,
        value: of(table),
      }));
  const [shown, all] = [count(most), count(tables.length)];
  const isCut = tables.length > most;
  return (
    <>
      <Largest
        title={text.sizes}
        note={isCut ? text.largest(shown, all) : text.sizesNote}
        head={text.size}
        bars={bars(({ bytes }) => bytes)}
        print={size}
      />
      <Largest
        title={text.records}
        note={isCut ? text.mostRecords(shown, all) : text.recordsNote}
        head={text.count}
        bars={bars(({ rows }) => rows)}
        print={count}
      />
    </>
  );
}

function Largest({
  title,
  note,
  head,
  bars,
  print,
}: {
  readonly title: string;
  readonly note: string;
  readonly head: string;
  readonly bars: readonly Bar[];
  readonly print: (value: number) => string;
}) {
  return (
    <ChartPanel title={title} note={note} heads={[text.table, head]} bars={bars} print={print}>
      {bars.length === 0 ? (
        <p className="muted">{text.noTables}</p>
      ) : (
        <Rows bars={bars.slice(0, most)} print={print} none={text.none} />
      )}
    </ChartPanel>
  );
}
