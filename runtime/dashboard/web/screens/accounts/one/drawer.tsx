import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { accountQuery } from "../../../api/account/queries.js";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { nothingRefused, sentence } from "../../../api/client/errors.js";
import type { Account } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Form } from "../../../parts/form/form.js";
import { ConfirmHere } from "../../../parts/overlay/confirm.js";
import { Drawer } from "../../../parts/overlay/drawer.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Avatar, Failure, Skeleton } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { en } from "../../../text/en/en.js";
import { enAccounts } from "../../../text/en/operators/accounts.js";
import { enViewing } from "../../../text/en/operators/viewing.js";
import { initials } from "../../../text/format.js";
import { RoleChoice } from "../role-choice.js";
import { Deletion } from "./deletion.js";
import { Facts } from "./facts.js";
import { LatestEvents } from "./latest-events.js";
import { SeeAs } from "./see-as.js";

const text = enAccounts;

export function AccountDrawer({ id }: { readonly id: string }) {
  const { user } = useSession();
  const [, go] = useLocation();
  const search = useSearch();
  const account = useQuery(accountQuery(user.id, id));
  const close = () => go(search === "" ? "/accounts" : `/accounts?${search}`);
  const name = account.data?.name ?? en.common.loading;
  return (
    <Drawer
      title={name}
      mark={<Avatar name={initials(account.data?.name ?? "")} isBig />}
      line={<p className="small muted">{account.data?.email}</p>}
      onClose={close}
    >
      {account.isPending ? <Skeleton /> : null}
      {account.isError ? <Failure text={sentence(account.error)} /> : null}
      {account.data === undefined ? null : <Details account={account.data} onGone={close} />}
    </Drawer>
  );
}

type Question = "disable" | "second" | "delete";

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one drawer, whose writes share its state
function Details({ account, onGone }: { readonly account: Account; readonly onGone: () => void }) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [values, setValues] = useState({
    name: account.name,
    role: account.role ?? "",
    email: account.email,
  });
  const [question, setQuestion] = useState<Question | null>(null);
  const [isViewing, setViewing] = useState(false);
  const path = `/_service/accounts/${account.id}`;
  const again = () => client.invalidateQueries({ queryKey: [user.id, "accounts"] });
  const after = (said: string) => async () => {
    toast(said);
    setQuestion(null);
    await again();
  };
  const save = useWrite({
    run: () => {
      const { name, email } = values;
      const role = values.role.trim() === "" ? null : values.role.trim();
      const body = {
        ...(name === account.name ? {} : { name }),
        ...(role === account.role ? {} : { role }),
        ...(email.trim() === account.email ? {} : { email: email.trim() }),
      };
      return call<Account>("PATCH", path, { body });
    },
    onDone: after(text.saved(values.name)),
    fields: ["name", "role", "email"],
    places: { USER_ALREADY_EXISTS: "email" },
    required: () => ({ name: values.name.trim(), email: values.email.trim() }),
  });
  const mailReset = useWrite({
    run: () => call<undefined>("POST", `${path}/password-reset`, { body: {} }),
    onDone: after(text.resetSent(account.email)),
  });
  const endAll = useWrite({
    run: () => call<undefined>("DELETE", `${path}/sessions`),
    onDone: after(text.signedOutAll(account.name)),
  });
  const setDisabled = useWrite({
    run: (change: { readonly disabled: boolean }) => call<Account>("PATCH", path, { body: change }),
    onDone: (_, { disabled }) =>
      after((disabled ? text.isDisabled : text.isEnabled)(account.name))(),
  });
  const endSecond = useWrite({
    run: () => call<undefined>("DELETE", `${path}/two-factor`),
    onDone: after(text.secondIsOff(account.name)),
  });
  const onDeleted = async () => {
    toast(text.deleted(account.name));
    onGone();
    client.removeQueries({ queryKey: [user.id, "accounts", "one", account.id] });
    await client.invalidateQueries({ queryKey: [user.id, "accounts", "list"] });
  };
  const questions = {
    disable: {
      title: text.disableTitle(account.name),
      text: text.disableText,
      button: text.disableButton,
      write: setDisabled,
      onConfirm: () => setDisabled.send({ disabled: true }),
    },
    second: {
      title: text.secondOffTitle(account.name),
      text: text.secondOffText,
      button: text.secondOffButton,
      write: endSecond,
      onConfirm: () => endSecond.send(undefined),
    },
  } as const;
  const open = question === null || question === "delete" ? null : questions[question];
  const rest = [mailReset, endAll, ...(question === null ? [setDisabled] : [])];
  const refused = rest.find(({ error }) => error !== null)?.refused ?? nothingRefused;

  if (isViewing) {
    const close = () => setViewing(false);
    const opened = () => {
      close();
      void after(enViewing.opened(account.name))();
    };
    return <SeeAs account={account} onOpened={opened} onClose={close} />;
  }
  if (question === "delete") {
    return <Deletion account={account} onDeleted={onDeleted} onClose={() => setQuestion(null)} />;
  }
  if (open !== null) {
    return (
      <ConfirmHere
        title={open.title}
        text={open.text}
        button={open.button}
        isBusy={open.write.isBusy}
        refused={open.write.refused}
        onConfirm={open.onConfirm}
        onClose={() => {
          open.write.clear();
          setQuestion(null);
        }}
      />
    );
  }
  return (
    <>
      <Form writes={[save]} onSubmit={() => save.send(undefined)}>
        <Field
          label={en.common.name}
          name="name"
          value={values.name}
          onChange={(name) => setValues({ ...values, name })}
          error={save.refused.fields.name}
        />
        <RoleChoice
          value={values.role}
          onChange={(role) => setValues({ ...values, role })}
          error={save.refused.fields.role}
        />
        {account.id === user.id ? null : (
          <Field
            label={en.common.email}
            name="email"
            type="email"
            value={values.email}
            onChange={(email) => setValues({ ...values, email })}
            autoComplete="off"
            error={save.refused.fields.email}
            help={text.addressHelp}
          />
        )}
        <Refusal refused={save.refused} />
        <div>
          <Button look="primary" type="submit" isBusy={save.isBusy}>
            {text.save}
          </Button>
        </div>
      </Form>
      <Facts account={account} />
      <Refusal refused={refused} />
      <div className="stack near">
        {account.id === user.id || account.disabled ? null : (
          <Button icon="eye" isWide onPress={() => setViewing(true)}>
            {enViewing.open}
          </Button>
        )}
        <Button
          icon="mail"
          isWide
          isBusy={mailReset.isBusy}
          onPress={() => mailReset.send(undefined)}
        >
          {text.resetPassword}
        </Button>
        <Button isWide isBusy={endAll.isBusy} onPress={() => endAll.send(undefined)}>
          {text.signOutAll}
        </Button>
        {account.twoFactorEnabled ? (
          <Button isWide onPress={() => setQuestion("second")}>
            {text.secondOff}
          </Button>
        ) : null}
        <div className="row">
          {account.disabled ? (
            <Button
              isWide
              isBusy={setDisabled.isBusy}
              onPress={() => setDisabled.send({ disabled: false })}
            >
              {text.enable}
            </Button>
          ) : (
            <Button isWide onPress={() => setQuestion("disable")}>
              {text.disable}
            </Button>
          )}
          <Button isWide look="quiet-danger" onPress={() => setQuestion("delete")}>
            {text.delete}
          </Button>
        </div>
      </div>
      <LatestEvents account={account.id} />
    </>
  );
}
