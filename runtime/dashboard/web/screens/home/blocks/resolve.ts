import type { StoredBlock } from "../../../api/account/home.js";
import type { Field, Resource } from "../../../api/client/types.js";
import { labelOf, may, readableFields, things } from "../../../api/records/descriptors.js";
import type { Measure } from "../../../api/records/numbers.js";
import {
  type ListAddress,
  readList,
  type Total,
  totals,
} from "../../../browser/address/list-address.js";
import {
  type Choosable,
  countedFields,
  type Grouping,
  groupingsOf,
  measuresOf,
  numberFields,
} from "../../../charts/choices.js";
import { type Block, readBlock } from "../../../home/blocks.js";
import { listName } from "../../../home/list-name.js";
import { rulesOf } from "../../../kinds/query/list-rules.js";
import { enCharts } from "../../../text/en/charts.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { enTotals } from "../../../text/en/lists/totals.js";

const text = enBlocks;

/** The total of a column; null for the number of records. */
export type Figure = { readonly total: Total; readonly field: Field } | null;

/** A list of which a block shows something. */
export interface ShownList {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly search: string;
}

/** What a block shows, with the resources and fields that it names. */
export type Resolved =
  | { readonly kind: "overview" }
  | { readonly kind: "new"; readonly resource: Resource }
  | { readonly kind: "values"; readonly resource: Resource; readonly field: Field }
  | {
      readonly kind: "chart";
      readonly resource: Resource;
      readonly measure: Choosable<Measure>;
      readonly grouping: Choosable<Grouping>;
    }
  | (ShownList & { readonly kind: "records"; readonly columns: readonly string[] | null })
  | (ShownList & { readonly kind: "figure"; readonly figure: Figure })
  /** What the block refers to no longer exists or, if `isHidden`, is not visible to the caller. */
  | { readonly kind: "absent"; readonly why: string; readonly isHidden: boolean };

export interface Named {
  readonly name: string;
  readonly shown: Resolved;
}

/** Resolves the resources and fields that a stored block refers to. */
export function resolve(stored: StoredBlock, resources: readonly Resource[]): Named {
  const block = readBlock(stored);
  if (block === null) return { name: text.unknown, shown: absent(text.unknownWhy) };
  if (block.kind === "overview") return { name: text.overview, shown: { kind: "overview" } };
  const resource = resources.find(({ name }) => name === block.resource);
  if (resource === undefined) {
    return { name: block.resource, shown: absent(text.noResource(block.resource)) };
  }
  const needed = block.kind === "records" ? "list" : "stats";
  if (!may(resource, needed)) {
    const why = text.noRight(resource.label);
    return { name: resource.label, shown: { kind: "absent", why, isHidden: true } };
  }
  return ofResource(block, resource, resources);
}

function absent(why: string): Resolved {
  return { kind: "absent", why, isHidden: false };
}

function ofResource(
  block: Exclude<Block, { readonly kind: "overview" }>,
  resource: Resource,
  resources: readonly Resource[],
): Named {
  const { label } = resource;
  const without = (field: string): Named => ({
    name: label,
    shown: absent(text.noField(field, label)),
  });
  switch (block.kind) {
    case "new":
      return { name: text.of(label, text.newRecords), shown: { kind: "new", resource } };
    case "values": {
      const field = countedFields(resource).find(({ name }) => name === block.field);
      if (field === undefined) return without(block.field);
      const name = text.of(label, enCharts.byField(labelOf(field)));
      return { name, shown: { kind: "values", resource, field } };
    }
    case "chart": {
      const measure = measuresOf(resource).find(({ key }) => key === block.measure);
      if (measure === undefined) return without(fieldIn(block.measure));
      const grouping = groupingsOf(resource, resources).find(({ key }) => key === block.by);
      if (grouping === undefined) return without(block.by);
      const name = text.of(label, enCharts.by(measure.label, grouping.label));
      return { name, shown: { kind: "chart", resource, measure, grouping } };
    }
    case "records":
    case "figure":
      return ofList(block, resource);
    default:
      return block satisfies never;
  }
}

function ofList(
  block: Extract<Block, { readonly kind: "records" | "figure" }>,
  resource: Resource,
): Named {
  const { search } = block;
  const { listing, dropped } = readList(search, rulesOf(resource));
  const list = listName(resource, block);
  if (dropped.length > 0) {
    return { name: list, shown: absent(text.noParts(dropped.join(", "), things(resource))) };
  }
  if (block.kind === "records") {
    const { columns } = block;
    return { name: list, shown: { kind: "records", resource, listing, search, columns } };
  }
  const shown = { kind: "figure", resource, listing, search } as const;
  if (block.measure === "count") {
    return { name: text.count(list), shown: { ...shown, figure: null } };
  }
  const total = totals.find((one) => block.measure.startsWith(`${one}.`));
  const field = numberFields(resource).find(({ name }) => name === fieldIn(block.measure));
  if (total === undefined || field === undefined) {
    const why = text.noField(fieldIn(block.measure), resource.label);
    return { name: list, shown: absent(why) };
  }
  const name = text.total({ total: enTotals.totals[total], field: labelOf(field), list });
  return { name, shown: { ...shown, figure: { total, field } } };
}

/** Returns `price` for `sum.price`. */
function fieldIn(measure: string): string {
  return measure.slice(measure.indexOf(".") + 1);
}

/** The fields next to the titles in a list of records, in the chosen order. */
export function chosenFields(
  resource: Resource,
  columns: readonly string[] | null,
): readonly Field[] | null {
  if (columns === null) return null;
  const fields = readableFields(resource);
  return columns.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}
