import { useEffect, useReducer } from "react";
import { openStream } from "../../../api/changes/stream.js";
import { call } from "../../../api/client/client.js";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import { things } from "../../../api/records/descriptors.js";
import {
  type ListAddress,
  maxPerPage,
  printParams,
} from "../../../browser/address/list-address.js";
import { linkIn } from "../../../kinds/filter/linked-fields.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import { Button } from "../../../parts/button/button.js";
import { enList } from "../../../text/en/list.js";
import { count } from "../../../text/format.js";
import { useRowsInPlace } from "../cell/rows-in-place.js";
import type { Columns } from "../rows/columns.js";
import { type Marks, noMarks } from "../rows/rows.js";
import { useStableCallbacks } from "../stable-callbacks.js";
import { arrivalsReducer, mostAdded, nothingArrived } from "./arrivals.js";
import { useFreshRows } from "./use-fresh-rows.js";
import { watchedBy } from "./watched.js";

const text = enList;

export interface LivingProps {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly columns: Columns;
  /** The parameters of the list; another list has another stream. */
  readonly query: string;
  readonly page: Page<Row>;
  readonly isFetching: boolean;
  readonly isFailed: boolean;
  readonly onMarks: (marks: Marks) => void;
  /** Loads the list again, and resolves with its position. */
  readonly onReload: () => Promise<string | null>;
  /** Shows the new records. */
  readonly onShow: () => void;
}

/**
 * Streams changes of a list while it is open: changed rows are updated in place, and new ones are counted until the
 * user loads them.
 */
export default function Living(props: LivingProps) {
  const { resource, listing, columns, query, page, isFetching, isFailed, onMarks, onShow } = props;
  const [arrived, act] = useReducer(arrivalsReducer, nothingArrived);
  const shown = page.data.map(({ id }) => id);
  const { fresh, renew } = useFreshRows({
    page,
    columns,
    readRows: useRowsInPlace(resource, columns, query),
    onMissing: (ids) => {
      const changes = ids.map((id) => ({ op: "delete" as const, id }));
      act({ kind: "changed", changes, shown });
    },
  });
  const on = useStableCallbacks({
    changes: (changes: Parameters<Parameters<typeof openStream>[0]["onChanges"]>[0]) => {
      void found(resource, listing, changes).then((known) => {
        act({ kind: "changed", changes: known, shown });
        const ids = known.filter(({ op, id }) => op !== "delete" && shown.includes(id));
        if (ids.length > 0) renew(ids.map(({ id }) => id));
      });
    },
    marks: onMarks,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another key; this one continues
  useEffect(
    () =>
      openStream({
        watch: { [resource.name]: watchedBy(resource, listing, columns) },
        after: page.meta.position ?? null,
        onChanges: on.changes,
        onReset: props.onReload,
      }),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a load begins and ends
  useEffect(() => {
    if (isFetching) act({ kind: "requested" });
    else if (isFailed) act({ kind: "failed" });
    else act({ kind: "loaded", shown });
  }, [isFetching, isFailed]);
  const { gone, added } = arrived;
  useEffect(() => {
    // Always the same object if there are no marks, to avoid rendering all rows again.
    on.marks(gone.length === 0 && fresh.size === 0 ? noMarks : { gone: new Set(gone), fresh });
  }, [on, gone, fresh]);
  useEffect(() => () => on.marks(noMarks), [on]);
  const many = added.length >= mostAdded ? `${count(mostAdded)}+` : count(added.length);
  return (
    <div className="arrived">
      {/* Announced once, not for every further change. */}
      <span role="status" className="hidden">
        {added.length === 0 ? null : text.newOnes(things(resource))}
      </span>
      {added.length === 0 ? null : (
        <Button
          size="small"
          icon="up"
          label={text.showNew(many, things(resource))}
          onPress={onShow}
        >
          {text.newCount(many)}
        </Button>
      )}
    </div>
  );
}

type RecordChanges = readonly {
  readonly op: "create" | "update" | "delete";
  readonly id: string;
}[];

/**
 * Removes new records that the list would not contain: a stream supports neither search nor conditions on linked
 * records.
 */
async function found(
  resource: Resource,
  listing: ListAddress,
  changes: RecordChanges,
): Promise<RecordChanges> {
  const created = changes.filter(({ op }) => op === "create");
  const hasIdCondition = listing.conditions.some(({ field }) => field === "id");
  const isLinked = listing.conditions.some(({ field }) => linkIn(field) !== null);
  const isWatched = listing.q === "" && !isLinked;
  if (isWatched || created.length === 0 || hasIdCondition) return changes;
  const ids = created.slice(0, maxPerPage).map(({ id }) => id);
  const query = printParams([
    ...conditionParams(resource, listing),
    ["filter[id][in]", ids.join(",")],
    ["perPage", String(ids.length)],
    ["fields", "id"],
  ]);
  const { data } = await call<Page<Row>>("GET", `/${resource.name}?${query}`).catch(() => ({
    data: [],
  }));
  return changes.filter(({ op, id }) => op !== "create" || data.some((row) => row.id === id));
}
