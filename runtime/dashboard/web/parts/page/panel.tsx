import { type ReactNode, useId, useState } from "react";
import { enCharts } from "../../text/en/charts.js";
import { Button } from "../button/button.js";
import type { Bar } from "../chart/chart.js";
import "./panel.css";
import "./table.css";

const text = enCharts;

export interface PanelProps {
  readonly title: string;
  readonly note?: string;
  /** Controls above the chart. */
  readonly tools?: ReactNode;
  /** A button next to the title. */
  readonly action?: ReactNode;
  /** The headings of the table's two columns. */
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  readonly print: (value: number) => string;
  readonly isWide?: boolean;
  /** The chart, shown unless the table is. */
  readonly children: ReactNode;
}

/** A chart with its title, and the same numbers as a table. */
export function ChartPanel(props: PanelProps) {
  const { title, note, tools, action, heads, bars, print, isWide, children } = props;
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={isWide === true ? "card panel wide" : "card panel"} aria-labelledby={id}>
      <div className={action === undefined ? "head" : "head acting"}>
        <div className="grow">
          <h2 id={id}>{title}</h2>
          {note === undefined ? null : <p className="small muted">{note}</p>}
        </div>
        {action}
        {bars.length === 0 ? null : (
          <Button
            look="quiet"
            size="small"
            label={`${isTable ? text.chart : text.table}: ${title}`}
            onPress={() => setTable(!isTable)}
          >
            {isTable ? text.chart : text.table}
          </Button>
        )}
      </div>
      <div className="body stack">
        {tools}
        {isTable ? <BarTable title={title} heads={heads} bars={bars} print={print} /> : children}
      </div>
    </section>
  );
}

function BarTable({
  title,
  heads,
  bars,
  print,
}: Pick<PanelProps, "title" | "heads" | "bars" | "print">) {
  return (
    <div className="table-box">
      <table className="table">
        <caption className="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{heads[0]}</th>
            <th scope="col" className="end">
              {heads[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, label, whole, value, isOpen }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{whole ?? label}</bdi>
                {isOpen === true ? <span className="muted"> ({text.notOver})</span> : null}
              </th>
              <td className="end">{value === null ? text.noFigure : print(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
