import { labelOf } from "../../../api/records/descriptors.js";
import { Groups } from "../../../charts/groups.js";
import { Months } from "../../../charts/months.js";
import { NewRecords } from "../../../charts/new-records.js";
import { Values } from "../../../charts/values.js";
import { Button } from "../../../parts/button/button.js";
import { enCharts } from "../../../text/en/charts.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { Numbers } from "../tiles.js";
import { FigureBlock } from "./figure.js";
import { RecordsBlock } from "./records.js";
import type { Named, Resolved } from "./resolve.js";
import "../../../parts/page/panel.css";

const text = enBlocks;

/** The content of a block. */
export function Content({
  block: { name, shown },
  days,
  onRemove,
}: {
  readonly block: Named;
  readonly days: number;
  /** Null if the block cannot be removed. */
  readonly onRemove: (() => void) | null;
}) {
  switch (shown.kind) {
    case "overview":
      return (
        <div className="stack">
          <Numbers days={days} />
        </div>
      );
    case "new":
      return (
        <NewRecords
          resource={shown.resource}
          days={days}
          title={{
            day: text.of(shown.resource.label, enCharts.fresh.day),
            week: text.of(shown.resource.label, enCharts.fresh.week),
            month: text.of(shown.resource.label, enCharts.fresh.month),
          }}
        />
      );
    case "values":
      return <Values resource={shown.resource} field={shown.field} title={name} />;
    case "chart":
      return <Chart name={name} chart={shown} />;
    case "records":
      return <RecordsBlock name={name} list={shown} columns={shown.columns} />;
    case "figure":
      return <FigureBlock name={name} list={shown} figure={shown.figure} />;
    case "absent":
      return (
        <section className="card panel" aria-label={name}>
          <div className="head">
            <div className="grow">
              <h2>
                <bdi>{name}</bdi>
              </h2>
              <p className="muted">{shown.why}</p>
            </div>
            {onRemove === null ? null : (
              <Button size="small" label={text.removeAbsent(name)} onPress={onRemove}>
                {text.removeButton}
              </Button>
            )}
          </div>
        </section>
      );
    default:
      return shown satisfies never;
  }
}

function Chart({
  name,
  chart: { resource, measure, grouping },
}: {
  readonly name: string;
  readonly chart: Extract<Resolved, { readonly kind: "chart" }>;
}) {
  const shown = {
    resource,
    measure: measure.value,
    title: name,
    heads: [labelOf(grouping.value.field), measure.label] as const,
  };
  return grouping.value.kind === "months" ? (
    <Months {...shown} field={grouping.value.field} />
  ) : (
    <Groups {...shown} grouping={grouping.value} />
  );
}

/** The share of a wide page that a block takes. */
export function widthOf({ kind }: Resolved): "third" | "half" | "whole" {
  if (kind === "figure") return "third";
  return kind === "overview" || kind === "records" ? "whole" : "half";
}
