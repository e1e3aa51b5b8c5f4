import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { hasTime, labelOf, listPath, may } from "../../api/records/descriptors.js";
import { measureKey } from "../../api/records/numbers.js";
import { useKept } from "../../browser/storage/kept.js";
import {
  type Choosable,
  type Grouping,
  groupingsOf,
  measuresOf,
  usualMeasure,
} from "../../charts/choices.js";
import { Groups } from "../../charts/groups.js";
import { NewRecords } from "../../charts/new-records.js";
import { Choice } from "../../parts/form/choice.js";
import { useInView } from "../../parts/page/in-view.js";
import { enCharts } from "../../text/en/charts.js";
import { Newest } from "./newest.js";

const text = enCharts;

/** A detailed panel for one resource: the chosen one, else `usual`. */
export function FeaturedResource({
  days,
  usual,
}: {
  readonly days: number;
  /** The name of a resource that has records. */
  readonly usual: string;
}) {
  const { user, resources } = useSession();
  const [name, setName] = useKept(user.id, "home", nameIn);
  const [element, isInView] = useInView<HTMLElement>();
  const shown = resources.filter((one) => may(one, "stats"));
  const resource =
    shown.find((one) => one.name === name) ?? shown.find((one) => one.name === usual);
  if (resource === undefined) return null;
  return (
    <section ref={element} className="stack featured" aria-label={text.featured}>
      <div className="row spread wrap">
        <h2>
          <bdi>{resource.label}</bdi>
        </h2>
        <Choice
          label={text.featured}
          isLabelHidden
          value={resource.name}
          options={shown.map((one) => ({ value: one.name, label: one.label }))}
          onChange={setName}
        />
      </div>
      {isInView ? <Panels key={resource.name} resource={resource} days={days} /> : null}
    </section>
  );
}

function Panels({ resource, days }: { readonly resource: Resource; readonly days: number }) {
  const { resources } = useSession();
  const usual = measureKey(usualMeasure(resource));
  const measures = measuresOf(resource);
  const measure = measures.find(({ key }) => key === usual) ?? measures[0];
  const groupings = groupingsOf(resource, resources).filter(isGrouped);
  const grouping = groupings.find(({ value }) => value.kind === "link") ?? groupings[0];
  return (
    <div className="panels">
      {hasTime(resource, "createdAt") ? (
        <NewRecords
          resource={resource}
          days={days}
          title={{
            day: text.freshBy.day(resource.label),
            week: text.freshBy.week(resource.label),
            month: text.freshBy.month(resource.label),
          }}
        />
      ) : null}
      {grouping === undefined || measure === undefined ? null : (
        <Groups
          resource={resource}
          measure={measure.value}
          title={text.by(measure.label, grouping.label)}
          heads={[labelOf(grouping.value.field), measure.label]}
          grouping={grouping.value}
        />
      )}
      {may(resource, "list") ? <Newest resource={resource} all={listPath(resource)} /> : null}
    </div>
  );
}

type Grouped = Exclude<Grouping, { readonly kind: "months" }>;

function isGrouped(one: Choosable<Grouping>): one is Choosable<Grouped> {
  return one.value.kind !== "months";
}

function nameIn(json: unknown): string {
  return typeof json === "string" ? json : "";
}
