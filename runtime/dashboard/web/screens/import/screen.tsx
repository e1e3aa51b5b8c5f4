import { useState } from "react";
import { Link } from "wouter";
import { type Encoding, encodings } from "../../../../values/csv/options.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, things } from "../../api/records/descriptors.js";
import { FileChoice } from "../../parts/file/file-choice.js";
import { Choice } from "../../parts/form/choice.js";
import { Failure, Title } from "../../parts/page/page.js";
import { enImport } from "../../text/en/import.js";
import { count } from "../../text/format.js";
import { mostBytes, type ReadTable, readTable } from "./csv.js";
import { Loaded } from "./loaded.js";
import "./screen.css";

const text = enImport;

interface Chosen {
  /** Counts the chosen files, so that another file resets the page. */
  readonly turn: number;
  readonly name: string;
  /** Null for a file that is too large. */
  readonly bytes: Uint8Array | null;
  readonly encoding: Encoding;
  readonly read: ReadTable;
}

/** Imports records from a file: its columns, their mapping, the problems, and the writes. */
export default function Import({ resource }: { readonly resource: Resource }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const open = (name: string, bytes: Uint8Array | null, encoding: Encoding) => {
    const read: ReadTable =
      bytes === null ? { kind: "refused", reason: "size" } : readTable(bytes, encoding);
    setChosen((former) => ({ turn: (former?.turn ?? 0) + 1, name, bytes, encoding, read }));
  };
  const choose = async (file: File) => {
    const bytes = file.size > mostBytes ? null : new Uint8Array(await file.arrayBuffer());
    open(file.name, bytes, "utf-8");
  };
  const isOpen = may(resource, "create");
  return (
    <>
      <div className="top">
        <Title>{text.title(things(resource))}</Title>
      </div>
      {may(resource, "list") ? (
        <nav className="tabs" aria-label={text.views(things(resource))}>
          <Link href={listPath(resource)}>{text.all}</Link>
          <Link href={`${listPath(resource)}/import`} aria-current="page">
            {text.tab}
          </Link>
        </nav>
      ) : null}
      <div className="content import">
        {isOpen ? null : <p className="muted">{text.forbidden(resource.label)}</p>}
        {isOpen ? (
          <section className="stack near" aria-labelledby="file">
            <h2 id="file">{text.file}</h2>
            <p className="muted">{text.fileText}</p>
            <div className="row wrap">
              <FileChoice
                accept=".csv,.tsv,.txt,text/csv"
                isMain={chosen === null}
                onFile={(file) => void choose(file)}
              >
                {chosen === null ? text.choose : text.another}
              </FileChoice>
              <span role="status">
                {chosen?.read.kind === "table" ? (
                  <bdi>{describe(chosen.name, chosen.read)}</bdi>
                ) : null}
              </span>
            </div>
            {chosen === null || chosen.bytes === null ? null : (
              <div className="mode">
                <Choice
                  label={text.encoding}
                  value={chosen.encoding}
                  options={encodings.map((value) => ({ value, label: text.encodings[value] }))}
                  onChange={(value) => {
                    const named = encodings.find((one) => one === value) ?? "utf-8";
                    open(chosen.name, chosen.bytes, named);
                  }}
                />
              </div>
            )}
            {chosen?.read.kind === "refused" ? (
              <Failure text={text.refused[chosen.read.reason]} />
            ) : null}
          </section>
        ) : null}
        {isOpen && chosen?.read.kind === "table" ? (
          <Loaded
            key={chosen.turn}
            resource={resource}
            table={chosen.read.table}
            name={chosen.name}
          />
        ) : null}
      </div>
    </>
  );
}

function describe(name: string, { table }: Extract<ReadTable, { kind: "table" }>): string {
  const many = table.rows.length + table.unread.length;
  return text.chosen(name, text.rows(many, count(many)));
}
