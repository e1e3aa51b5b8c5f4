import { useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf, linked, things, titleOf } from "../../../api/records/descriptors.js";
import { printParams } from "../../../browser/address/list-address.js";
import { csvLine } from "../../../browser/files/csv-line.js";
import { openFile } from "../../../browser/files/save-file.js";
import { shownParams } from "../../../kinds/filter/list-parameters.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Notice } from "../../../parts/status/notice.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import type { CursorPage } from "./selected-records.js";
import "../../../parts/status/progress.css";

const text = enBulk;

type Format = "csv" | "json";

export interface ExportProps {
  readonly resource: Resource;
  /** The shown columns in order. */
  readonly fields: readonly Field[];
  /** Conditions and order as the API takes them. */
  readonly query: string;
  /** Only these records, where rows were chosen. */
  readonly ids: readonly string[] | null;
  readonly total: number;
  readonly onClose: () => void;
}

/** Writes the list into a file page by page, so that memory does not limit the number of rows. */
export default function Export(props: ExportProps) {
  const { resource, fields, total, onClose } = props;
  const { resources } = useSession();
  const [format, setFormat] = useState<Format>("csv");
  const [done, setDone] = useState<number | null>(null);
  const [isEnded, setEnded] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setProblem(null);
    const file = await openFile(`${resource.name}.${format}`, types[format]);
    if (file === null) return;
    setDone(0);
    let written = 0;
    try {
      await file.write(format === "csv" ? csvLine(["id", ...fields.map(labelOf)]) : "[");
      for await (const rows of pages(
        props,
        shownParams(resource, resources, fields),
        abort.signal,
      )) {
        const titles = (field: Field, row: Row) => {
          const record = linked(field, row);
          if (field.resource === undefined || record === null) return null;
          return titleOf(
            resources.find(({ name }) => name === field.resource),
            record,
          );
        };
        await file.write(
          format === "csv"
            ? rows
                .map((row) =>
                  csvLine([
                    row.id,
                    ...fields.map((field) =>
                      kindOf(field).print(field, row[field.name], titles(field, row)),
                    ),
                  ]),
                )
                .join("")
            : rows
                .map((row, at) => `${written + at === 0 ? "\n" : ",\n"}${JSON.stringify(row)}`)
                .join(""),
        );
        written += rows.length;
        setDone(written);
      }
      if (format === "json") await file.write("\n]\n");
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
          <p className="muted">{text.exportText}</p>
          <Choice
            label={text.format}
            value={format}
            options={[
              { value: "csv", label: text.csv },
              { value: "json", label: text.json },
            ]}
            onChange={(next) => setFormat(next as Format)}
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

const types: Readonly<Record<Format, string>> = { csv: "text/csv", json: "application/json" };

/** Rows of one request, and ids that fit into one address. */
const pageSize = 100;

async function* pages(
  { resource, query, ids }: ExportProps,
  shown: readonly (readonly [string, string])[],
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  if (ids !== null) {
    for (let at = 0; at < ids.length; at += pageSize) {
      const where = { id: { in: ids.slice(at, at + pageSize) } };
      const include = Object.fromEntries(
        shown.flatMap(([key, value]) => {
          const name = /^include\[(.+)\]\[fields\]$/.exec(key)?.[1];
          return name === undefined ? [] : [[name, { fields: [value] }]];
        }),
      );
      const fields = shown.find(([key]) => key === "fields")?.[1].split(",") ?? ["id"];
      const body = { where, fields, perPage: pageSize, include };
      const page = await call<CursorPage>("POST", `/${resource.name}/_query`, body, { signal });
      yield page.data;
    }
    return;
  }
  let cursor: string | null = "";
  while (cursor !== null) {
    const rest = printParams([["cursor", cursor], ["perPage", String(pageSize)], ...shown]);
    const path = `/${resource.name}?${query === "" ? rest : `${query}&${rest}`}`;
    const page: CursorPage = await call<CursorPage>("GET", path, undefined, { signal });
    yield page.data;
    cursor = page.meta.next;
  }
}
