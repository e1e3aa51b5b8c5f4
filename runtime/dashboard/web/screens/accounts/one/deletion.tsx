import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import type { Account } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { may } from "../../../api/records/descriptors.js";
import { accountLink } from "../../../api/records/fields.js";
import { dependantsQuery, linksTo } from "../../../api/records/records.js";
import { type Dependant, DependantList, mayCount } from "../../../form/dependants.js";
import { useHandOver } from "../../../form/merging/hand-over.js";
import { Moved } from "../../../form/merging/moved.js";
import { RecordInput } from "../../../kinds/input/record.js";
import { Button } from "../../../parts/button/button.js";
import { Confirming } from "../../../parts/overlay/confirm.js";
import { Refusal } from "../../../parts/status/notice.js";
import { en } from "../../../text/en/en.js";
import { enAccounts } from "../../../text/en/operators/accounts.js";
import { count } from "../../../text/format.js";

const text = enAccounts;

/** Asks before an account is deleted, and shows what belongs to it, which is handed over first. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one question, whose parts share what belongs to the account
export function Deletion({
  account,
  onDeleted,
  onClose,
}: {
  readonly account: Account;
  readonly onDeleted: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const [to, setTo] = useState("");
  const links = linksTo(resources, { name: "users" });
  const totals = useQueries({
    queries: links.map((link) => ({
      ...dependantsQuery(user.id, link, account.id),
      enabled: mayCount(link),
    })),
  });
  const found = links
    .map((link, at): Dependant => ({ ...link, total: totals[at]?.data }))
    .filter(({ total = 0 }) => total > 0);
  const staying = found.filter(({ field }) => field.onDelete !== "cascade");
  const movable = staying.filter(
    ({ resource, field }) => may(resource, "update") && field.writable !== false,
  );
  const [first] = movable;
  const sum = (some: readonly Dependant[]) => some.reduce((all, { total = 0 }) => all + total, 0);
  const handOver = useHandOver(account.id, movable, {
    total: sum(movable),
    onEnded: () => void client.invalidateQueries({ queryKey: [user.id, "resource"] }),
  });
  const remove = useWrite({
    run: () => call<undefined>("DELETE", `/_service/accounts/${account.id}`),
    onDone: onDeleted,
  });
  const isCounting = totals.some(({ isLoading }) => isLoading);
  const kind = handOver.progress?.kind ?? "ended";
  const isMoving = kind !== "ended";
  const barred = isCounting
    ? text.countingBelongings
    : staying.length > 0
      ? text.deleteBarred(account.name)
      : undefined;
  return (
    <Confirming title={text.deleteTitle(account.name)} onClose={onClose}>
      <p>{text.deleteText}</p>
      {isCounting ? (
        <p role="status" className="muted">
          {text.countingBelongings}
        </p>
      ) : null}
      <DependantList dependants={found} id={account.id} />
      {movable.length === 0 && handOver.progress === null ? null : (
        <section className="stack near" aria-label={text.handOver}>
          {isMoving || first === undefined ? null : (
            <RecordInput
              field={accountLink(text.handOver)}
              resource={first.resource}
              id="hand-over-to"
              value={to}
              error={to === account.id ? text.handOverSame : undefined}
              onChange={setTo}
              onLeave={() => {}}
              related={null}
              isChanged={to !== ""}
              file={null}
              onBusy={() => {}}
              onCreate={null}
            />
          )}
          <Moved
            progress={handOver.progress}
            words={{ running: text.handingOver, ended: text.handedOver }}
          />
          {isMoving ? (
            <Button onPress={kind === "held" ? handOver.again : handOver.stop}>
              {kind === "held" ? text.goOn : text.stop}
            </Button>
          ) : movable.length === 0 ? null : (
            <Button
              onPress={() => handOver.start(to)}
              {...(to === "" || to === account.id ? { barred: text.handOverFirst } : {})}
            >
              {text.handOverButton(count(sum(movable)))}
            </Button>
          )}
        </section>
      )}
      <Refusal refused={remove.refused} />
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        <Button
          look="danger"
          isBusy={remove.isBusy}
          onPress={() => remove.send(undefined)}
          {...(barred === undefined ? {} : { barred })}
        >
          {text.deleteButton}
        </Button>
      </div>
    </Confirming>
  );
}
