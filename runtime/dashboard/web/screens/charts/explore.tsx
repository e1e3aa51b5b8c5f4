import { useSearchParams } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { measureKey } from "../../api/records/numbers.js";
import { groupingsOf, measuresOf, usualGrouping, usualMeasure } from "../../charts/choices.js";
import { Groups } from "../../charts/groups.js";
import { Months } from "../../charts/months.js";
import { AddToHome } from "../../home/add-button.js";
import { Choice } from "../../parts/form/choice.js";
import { enCharts } from "../../text/en/charts.js";

const text = enCharts;

/** A chart of one measure by one field, both chosen by the user and stored in the address. */
export function Explore({ resource }: { readonly resource: Resource }) {
  const { resources } = useSession();
  const [query, setQuery] = useSearchParams();
  const measures = measuresOf(resource);
  const groupings = groupingsOf(resource, resources);
  const chosen = <T extends { readonly key: string }>(
    all: readonly T[],
    name: string,
    usual: string,
  ) =>
    all.find(({ key }) => key === query.get(name)) ??
    all.find(({ key }) => key === usual) ??
    all[0];
  const measure = chosen(measures, "measure", measureKey(usualMeasure(resource)));
  const grouping = chosen(groupings, "by", usualGrouping(groupings));
  if (measure === undefined || grouping === undefined) return null;
  const choose = (name: string) => (value: string) =>
    setQuery((former) => {
      const next = new URLSearchParams(former);
      next.set(name, value);
      return next;
    });
  const tools = (
    <div className="choices">
      <Choice
        label={text.measure}
        value={measure.key}
        options={measures.map(({ key, label }) => ({ value: key, label }))}
        onChange={choose("measure")}
      />
      <Choice
        label={text.group}
        value={grouping.key}
        options={groupings.map(({ key, label }) => ({ value: key, label }))}
        onChange={choose("by")}
      />
    </div>
  );
  const shown = {
    resource,
    measure: measure.value,
    title: text.by(measure.label, grouping.label),
    heads: [labelOf(grouping.value.field), measure.label] as const,
    tools,
    action: (
      <AddToHome
        block={{ kind: "chart", resource: resource.name, measure: measure.key, by: grouping.key }}
        name={text.by(measure.label, grouping.label)}
      />
    ),
  };
  return grouping.value.kind === "months" ? (
    <Months {...shown} field={grouping.value.field} />
  ) : (
    <Groups {...shown} grouping={grouping.value} />
  );
}
