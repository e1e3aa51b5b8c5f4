import { useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { isStatus, sentence } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { things } from "../../../api/records/descriptors.js";
import type { Params } from "../../../api/records/naming.js";
import { foundIds, isByWords } from "../../../api/records/words.js";
import { printParams } from "../../../browser/address/list-address.js";
import { openFile } from "../../../browser/files/save-file.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Notice } from "../../../parts/status/notice.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import { type ExportFormat, exportFile } from "./export-file.js";
import type { CursorPage } from "./selected-records.js";
import "../../../parts/status/progress.css";

const text = enBulk;

export interface ExportProps {
  readonly resource: Resource;
  /** The displayed columns in order. */
  readonly fields: readonly Field[];
  /** Conditions and order as the API accepts them. */
  readonly query: string;
  /** Only these records, if rows were selected. */
  readonly ids: readonly string[] | null;
  readonly total: number;
  readonly onClose: () => void;
}

/** Writes the list to a file page by page, so that memory does not limit the number of rows. */
export default function Export(props: ExportProps) {
  const { resource, fields, total, onClose } = props;
  const { resources } = useSession();
  const [format, setFormat] = useState<ExportFormat>("csv");
  const [done, setDone] = useState<number | null>(null);
  const [isEnded, setEnded] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setProblem(null);
    const form = exportFile(format, { resource, resources, columns: fields });
    const file = await openFile(`${resource.name}.${form.extension}`, form.type);
    if (file === null) return;
    setDone(0);
    let written = 0;
    try {
      await file.write(form.head);
      for await (const rows of pages(props, form.params, abort.signal)) {
        await file.write(form.rows(rows, written));
        written += rows.length;
        setDone(written);
      }
      await file.write(form.end);
      await file.close();
      setEnded(true);
    } catch (error) {
      await file.abort();
      if (abort.signal.aborted) return;
      setDone(null);
      setProblem(sentence(error));
    }
  };
  const close = () => {
    running.current?.abort();
    onClose();
  };
  return (
    <Dialog title={text.exportTitle(count(total), things(resource))} onClose={close}>
      {done === null ? (
        <>
          <p className="muted">{format === "csv" ? text.exportColumns : text.exportWhole}</p>
          <Choice
            label={text.format}
            value={format}
            options={[
              { value: "csv", label: text.csv },
              { value: "exact", label: text.exact },
              { value: "json", label: text.json },
            ]}
            onChange={(next) => setFormat(next as ExportFormat)}
          />
        </>
      ) : (
        <>
          <progress
            className="progress"
            max={Math.max(total, done)}
            value={done}
            aria-label={text.running(count(done), count(total))}
          />
          <p role="status">
            {isEnded ? text.exported(count(done)) : text.running(count(done), count(total))}
          </p>
        </>
      )}
      <div role="alert">{problem === null ? null : <Notice look="bad">{problem}</Notice>}</div>
      <div className="actions">
        <Button onPress={close}>{isEnded ? en.common.close : en.common.cancel}</Button>
        {done === null ? (
          <Button look="primary" onPress={() => void run()}>
            {text.exportButton}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

/** The number of rows per request; their ids fit into one URL. */
const pageSize = 100;

/** Yields the records page by page. A page has fewer records if their long texts exceed the size of one response. */
async function* pages(
  props: ExportProps,
  params: Params,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const { resource, query } = props;
  const found = isByWords(query) ? await foundIds(resource.name, query, signal) : null;
  const ids = props.ids ?? found;
  const ask = ids === null ? byCursor(props, params) : byIds(props, ids, params);
  let size = pageSize;
  let next: string | null = "";
  while (next !== null) {
    try {
      const page: CursorPage = await ask(next, size, signal);
      next = page.meta.next;
      yield page.data;
    } catch (error) {
      if (!isStatus(error, 400) || size === 1) throw error;
      size = Math.ceil(size / 4);
    }
  }
}

type Ask = (from: string, size: number, signal: AbortSignal) => Promise<CursorPage>;

function byCursor({ resource, query }: ExportProps, params: Params): Ask {
  return (cursor, size, signal) => {
    const rest = printParams([["cursor", cursor], ["perPage", String(size)], ...params]);
    const path = `/${resource.name}?${query === "" ? rest : `${query}&${rest}`}`;
    return call<CursorPage>("GET", path, { signal });
  };
}

/** Requests records by id; the cursor `next` is the position of the next id. */
function byIds({ resource }: ExportProps, ids: readonly string[], params: Params): Ask {
  const include = Object.fromEntries(
    params.flatMap(([key, value]) => {
      const name = /^include\[(.+)\]\[fields\]$/.exec(key)?.[1];
      return name === undefined ? [] : [[name, { fields: [value] }]];
    }),
  );
  const fields = params.find(([key]) => key === "fields")?.[1].split(",") ?? ["id"];
  return async (from, size, signal) => {
    const end = Number(from) + size;
    const some = ids.slice(Number(from), end);
    const where = { id: { in: some } };
    const body = { where, fields, perPage: size, include };
    const path = `/${resource.name}/_query`;
    const answer = await call<CursorPage>("POST", path, { body, signal });
    const data = answer.data.toSorted(
      (one, other) => some.indexOf(one.id) - some.indexOf(other.id),
    );
    return { data, meta: { next: end < ids.length ? String(end) : null } };
  };
}
