import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  addPasskey,
  canUsePasskeys,
  PasskeyCancelled,
  PasskeyExists,
} from "../../api/account/passkeys.js";
import { passkeysQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { isCode, isStatus, sentence } from "../../api/client/errors.js";
import type { Passkey } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { here, leaveTo, signInPath } from "../../browser/address/address.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { Menu } from "../../parts/overlay/menu.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { date, relative } from "../../text/dates.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { Card } from "./card.js";

const text = enAccount.passkeys;

type Open = { readonly kind: "rename" | "remove"; readonly passkey: Passkey } | null;

export function PasskeysPart() {
  const { user } = useSession();
  const query = passkeysQuery(user.id);
  const passkeys = useQuery({ ...query, retryOnMount: false });
  const client = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState<Open>(null);
  const again = () => client.invalidateQueries(query);
  const add = useWrite({
    run: addPasskey,
    onDone: async () => {
      toast(text.saved);
      await again();
    },
  });
  const list = passkeys.data?.data ?? [];
  const said =
    add.error instanceof PasskeyCancelled
      ? text.cancelled
      : add.error instanceof PasskeyExists
        ? text.exists
        : add.refused.general;
  const button = canUsePasskeys() ? {} : { barred: text.unavailable };
  if (isStatus(passkeys.error, 404)) return <Card title={text.title} text={text.off} />;
  return (
    <Card
      title={text.title}
      text={`${text.text} ${text.used(list.length)}`}
      action={
        <Button icon="plus" isBusy={add.isBusy} onPress={() => add.send(undefined)} {...button}>
          {text.add}
        </Button>
      }
    >
      <div className="body stack near">
        {passkeys.isPending ? <Skeleton lines={2} /> : null}
        {passkeys.isError ? (
          <Failure text={sentence(passkeys.error)} onRetry={() => void passkeys.refetch()} />
        ) : null}
        <Refusal refused={{ ...add.refused, general: said }} />
        {isCode(add.error, "SESSION_NOT_FRESH") ? (
          <div>
            <Button onPress={() => leaveTo(signInPath(here()))}>{text.signInAgain}</Button>
          </div>
        ) : null}
        {passkeys.isSuccess && list.length === 0 ? <p className="muted">{text.none}</p> : null}
      </div>
      <ul className="rows">
        {list.map((passkey) => (
          <li key={passkey.id}>
            <Icon name="key" />
            <div className="grow">
              <p className="strong cut">
                <bdi>{passkey.name}</bdi>
              </p>
              <p className="small muted">{lineOf(passkey)}</p>
            </div>
            <Menu
              label={text.more(passkey.name)}
              button={<Button look="quiet" icon="more" label={text.more(passkey.name)} />}
              entries={[
                {
                  id: "rename",
                  label: text.rename,
                  onAction: () => setOpen({ kind: "rename", passkey }),
                },
                {
                  id: "remove",
                  label: text.remove,
                  look: "danger",
                  onAction: () => setOpen({ kind: "remove", passkey }),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      {open?.kind === "rename" ? (
        <Rename passkey={open.passkey} onClose={() => setOpen(null)} onDone={again} />
      ) : null}
      {open?.kind === "remove" ? (
        <Remove passkey={open.passkey} onClose={() => setOpen(null)} onDone={again} />
      ) : null}
    </Card>
  );
}

interface OnOne {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function Rename({ passkey, onClose, onDone }: OnOne) {
  const [name, setName] = useState(passkey.name);
  const save = useWrite({
    run: () => call<Passkey>("PATCH", `/auth/passkeys/${passkey.id}`, { body: { name } }),
    onDone: async () => {
      await onDone();
      onClose();
    },
    fields: ["name"],
    required: () => ({ name: name.trim() }),
  });
  return (
    <Dialog title={text.renameTitle} onClose={onClose}>
      <Form writes={[save]} onSubmit={() => save.send(undefined)}>
        <Field
          label={en.common.name}
          name="name"
          value={name}
          onChange={setName}
          error={save.refused.fields.name}
          autoFocus
        />
        <Refusal refused={save.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit" isBusy={save.isBusy}>
            {en.common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Remove({ passkey, onClose, onDone }: OnOne) {
  const remove = useWrite({
    run: () => call<undefined>("DELETE", `/auth/passkeys/${passkey.id}`),
    onDone: async () => {
      await onDone();
      onClose();
    },
  });
  return (
    <Confirm
      title={text.removeTitle(passkey.name)}
      text={text.removeText}
      button={text.removeButton}
      isBusy={remove.isBusy}
      refused={remove.refused}
      onConfirm={() => remove.send(undefined)}
      onClose={onClose}
    />
  );
}

function lineOf({ createdAt, lastUsedAt, backedUp }: Passkey): string {
  const used = lastUsedAt === null ? text.neverUsed : text.lastUsed(relative(lastUsedAt));
  return `${text.added(date(createdAt))}, ${used}. ${backedUp ? text.synced : text.single}`;
}
