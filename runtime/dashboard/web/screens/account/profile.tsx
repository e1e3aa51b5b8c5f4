import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { configQuery, meQuery } from "../../api/account/queries.js";
import { pictureOf, useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import type { Me } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Confirm } from "../../parts/overlay/confirm.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Avatar, Tag } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { initials } from "../../text/format.js";
import { Card } from "./card.js";
import { Crop } from "./crop.js";
import { DeleteAccount } from "./delete-account.js";
import { NewAddress } from "./new-address.js";

const text = enAccount.profile;

export function Profile() {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(user.name);
  const [file, setFile] = useState<File | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const config = useQuery(configQuery);
  const chooser = useRef<HTMLInputElement>(null);
  const take = (me: Me) => client.setQueryData(meQuery.queryKey, me);
  const save = useWrite({
    run: () => call<Me>("PATCH", "/auth/me", { body: { name } }),
    onDone: (me) => {
      take(me);
      toast(text.saved);
    },
    fields: ["name"],
    required: () => ({ name: name.trim() }),
  });
  const remove = useWrite({
    run: () => call<Me>("PATCH", "/auth/me", { body: { avatar: null } }),
    onDone: (me) => {
      take(me);
      setRemoving(false);
    },
  });
  const picture = pictureOf(user);

  const card = (
    <Card title={text.title} text={text.text}>
      <Form className="body stack" writes={[save]} onSubmit={() => save.send(undefined)}>
        <div className="row wrap">
          <Avatar name={initials(user.name)} url={picture} isBig />
          <input
            ref={chooser}
            className="hidden"
            type="file"
            accept="image/*"
            tabIndex={-1}
            aria-label={text.picture}
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null);
              event.target.value = "";
            }}
          />
          <Button onPress={() => chooser.current?.click()}>
            {picture === undefined ? text.choose : text.replace}
          </Button>
          {picture === undefined ? null : (
            <Button look="quiet-danger" onPress={() => setRemoving(true)}>
              {text.remove}
            </Button>
          )}
        </div>
        <Field
          label={en.common.name}
          name="name"
          value={name}
          onChange={setName}
          autoComplete="name"
          error={save.refused.fields.name}
        />
        <dl className="facts stacked">
          <dt>{en.common.email}</dt>
          <dd>
            {user.email}{" "}
            <Tag look={user.emailVerified ? "good" : "warn"}>
              {user.emailVerified ? text.verified : text.unverified}
            </Tag>{" "}
            {user.emailVerified ? null : <Link href="/verify-email">{text.verify}</Link>}{" "}
            <Button look="quiet" onPress={() => setMoving(true)}>
              {enAccount.address.open}
            </Button>
          </dd>
          <dt>{text.role}</dt>
          <dd>{user.role ?? text.noRole}</dd>
        </dl>
        <Refusal refused={save.refused} />
        <div>
          <Button look="primary" type="submit" isBusy={save.isBusy}>
            {en.common.save}
          </Button>
        </div>
      </Form>
      {file === null ? null : <Crop file={file} onClose={() => setFile(null)} />}
      {isRemoving ? (
        <Confirm
          title={text.removeTitle}
          text={text.text}
          button={text.remove}
          isBusy={remove.isBusy}
          refused={remove.refused}
          onConfirm={() => remove.send(undefined)}
          onClose={() => setRemoving(false)}
        />
      ) : null}
      {isMoving ? <NewAddress onClose={() => setMoving(false)} /> : null}
    </Card>
  );
  if (config.data?.deleteOwnAccount !== true) return card;
  return (
    <div className="stack">
      {card}
      <DeleteAccount />
    </div>
  );
}
