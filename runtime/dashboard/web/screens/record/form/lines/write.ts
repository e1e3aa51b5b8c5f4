import { call } from "../../../../api/client/client.js";
import { ApiError, isStatus } from "../../../../api/client/errors.js";
import type { Resource, Row } from "../../../../api/client/types.js";
import { readRecord, type Version } from "../../../../api/records/records.js";
import { enRecord } from "../../../../text/en/record.js";
import { formerOf, type Line, operationOf } from "./state.js";

const text = enRecord;

/** The content of one batch: a record, if it is new or changed, and the records that belong to it. */
export interface RecordWithLines {
  readonly resource: Resource;
  readonly base: Version | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly etag: string | null;
  readonly lines: readonly Line[];
}

export interface WrittenBatch {
  readonly version: Version;
  /** The operations that undo the batch; null if it deleted something permanently. */
  readonly undoing: readonly object[] | null;
}

interface Answer {
  readonly data: readonly (Row | null)[];
  readonly etags: readonly (string | null)[];
}

export async function writeBatch(
  together: RecordWithLines,
  idempotencyKey: string,
): Promise<WrittenBatch> {
  const { resource, base, body, lines } = together;
  const own = ownOperation(together);
  const parent = base === null ? { ref: 0 } : base.record.id;
  const operations = [...own, ...lines.map((line) => operationOf(line, parent))];
  const path = "/_service/batch?etags=true";
  const { data, etags } = await call<Answer>("POST", path, {
    body: { operations },
    idempotencyKey,
  });
  const [record] = data;
  const version =
    own.length === 0 || record === null || record === undefined
      ? base
      : { record, etag: etags[0] ?? "*" };
  if (version === null) throw new Error("the response of the batch lacks the created record");
  const undoing = lines.flatMap((line, at): readonly object[] => {
    const written = data[own.length + at];
    const ifMatch = etags[own.length + at] ?? "*";
    if (written === null || written === undefined) return [];
    const { child } = line;
    if (line.base === null) return [{ delete: child.name, id: written.id, ifMatch }];
    return [{ update: child.name, id: written.id, values: formerOf(line), ifMatch }];
  });
  const isFinal = base === null || lines.some(({ isRemoved }) => isRemoved);
  const former =
    own.length === 0 || base === null
      ? []
      : [
          {
            update: resource.name,
            id: base.record.id,
            values: Object.fromEntries(
              Object.keys(body).map((name) => [name, base.record[name] ?? null]),
            ),
            ifMatch: version.etag,
          },
        ];
  return { version, undoing: isFinal ? null : [...former, ...undoing] };
}

/** The operation of the record itself; none if only its lines have changed. */
function ownOperation({ resource, base, body, etag }: RecordWithLines): readonly object[] {
  if (base === null) return [{ create: resource.name, values: body }];
  if (Object.keys(body).length === 0) return [];
  return [{ update: resource.name, id: base.record.id, values: body, ifMatch: etag ?? base.etag }];
}

/** Why lines were refused, by key; null if the refusal concerns the record itself. */
export function lineProblems(
  error: unknown,
  together: RecordWithLines,
): Readonly<Record<string, string>> | null {
  if (!(error instanceof ApiError) || error.index === null) return null;
  const first = ownOperation(together).length;
  const problems: Record<string, string> = {};
  const note = (index: number, message: string) => {
    const key = together.lines[index - first]?.key;
    if (key !== undefined) problems[key] = [problems[key], message].filter(Boolean).join(" ");
  };
  if (error.issues.length === 0) {
    note(error.index, error.status === 412 ? text.lineChanged : error.message);
  }
  for (const { index, path, message } of error.issues) {
    note(index ?? error.index, path === undefined ? message : `${path}: ${message}`);
  }
  return Object.keys(problems).length === 0 ? null : problems;
}

/** The current version of a line that another account has changed. */
export async function metLine(
  error: unknown,
  together: RecordWithLines,
): Promise<{ readonly key: string; readonly base: Version } | null> {
  if (!isStatus(error, 412) || error.index === null) return null;
  const line = together.lines[error.index - ownOperation(together).length];
  if (line === undefined || line.base === null) return null;
  const base = await readRecord(line.child.name, line.base.record.id).catch(() => null);
  return base === null ? null : { key: line.key, base };
}
