import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import type { Fault } from "../../api/records/batches.js";
import { listPath, may, thing, things, titleOf } from "../../api/records/descriptors.js";
import {
  type DeletedRow,
  runTrashAction,
  type TrashAction,
  trashPage,
  trashQuery,
} from "../../api/records/trash.js";
import { Button } from "../../parts/button/button.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton, Title } from "../../parts/page/page.js";
import { Pager } from "../../parts/page/pager.js";
import { Notice, Refusal } from "../../parts/status/notice.js";
import { enTrash } from "../../text/en/bulk.js";
import { count } from "../../text/format.js";
import { TrashRows } from "./rows.js";

const text = enTrash;

export default function Trash({ resource }: { readonly resource: Resource }) {
  const isOpen = resource.trash !== undefined && may(resource, "list") && may(resource, "delete");
  return (
    <div className="scroll">
      <div className="top">
        <Title>{text.title(resource.label)}</Title>
        <Link className="button quiet" href={listPath(resource)}>
          {text.back(things(resource))}
        </Link>
      </div>
      {isOpen ? (
        <Deleted resource={resource} />
      ) : (
        <div className="content">
          <p className="muted">{text.forbidden}</p>
        </div>
      )}
    </div>
  );
}

function Deleted({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const [page, setPage] = useState(1);
  const answer = useQuery(trashQuery(user.id, resource, page));
  if (answer.data === undefined) {
    return (
      <div className="content">
        {answer.isError ? (
          <Failure text={sentence(answer.error)} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    );
  }
  const { data, meta } = answer.data;
  const last = Math.max(1, Math.ceil(meta.total / trashPage));
  return (
    <>
      <div className="content">
        <p className="muted">{text.kept(resource.trash ?? 0)}</p>
        {meta.total === 0 ? (
          <p className="strong" role="status">
            {text.empty}
          </p>
        ) : (
          <Actions resource={resource} rows={data} onDone={() => setPage(1)} />
        )}
      </div>
      {last === 1 ? null : (
        <Pager page={page} perPage={trashPage} total={meta.total} onPage={setPage} />
      )}
    </>
  );
}

interface ActionsProps {
  readonly resource: Resource;
  readonly rows: readonly DeletedRow[];
  readonly onDone: () => void;
}

/** The rows of a page, and the actions on the selected ones. */
function Actions({ resource, rows, onDone }: ActionsProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isConfirming, setConfirming] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const words = (all: number) => (all === 1 ? thing(resource) : things(resource));
  const write = useWrite<TrashAction, readonly Fault[]>({
    run: (action, key) => runTrashAction(resource.name, action, key),
    onDone: (errors, { kind, rows: sent }) => {
      const said = kind === "restore" ? text.restored : text.removed;
      toast(said(count(sent.length - errors.length), count(sent.length), words(sent.length)));
      const titles = sent.map((row) => titleOf(resource, row));
      setRefused(errors.map(({ index, error }) => text.refused(titles[index] ?? "", error)));
      setSelected(new Set());
      setConfirming(false);
      onDone();
      void client.invalidateQueries({ queryKey: [user.id, "resource"], refetchType: "active" });
    },
  });
  const barred = chosen.length === 0 ? { barred: text.selectFirst } : {};
  return (
    <div className="stack">
      <div className="row">
        <Button
          isBusy={write.isBusy && !isConfirming}
          onPress={() => write.send({ kind: "restore", rows: chosen })}
          {...barred}
        >
          {text.restore}
        </Button>
        {may(resource, "purge") ? (
          <Button look="danger" onPress={() => setConfirming(true)} {...barred}>
            {text.remove}
          </Button>
        ) : null}
      </div>
      {isConfirming ? null : <Refusal refused={write.refused} />}
      {refused.length === 0 ? null : (
        <Notice look="warn">
          <ul role="alert">
            {refused.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
      <TrashRows resource={resource} rows={rows} selected={selected} onSelect={setSelected} />
      {isConfirming ? (
        <Confirm
          title={text.removeTitle(count(chosen.length), words(chosen.length))}
          text={text.removeText}
          button={text.remove}
          isBusy={write.isBusy}
          refused={write.refused}
          onConfirm={() => write.send({ kind: "remove", rows: chosen })}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </div>
  );
}
