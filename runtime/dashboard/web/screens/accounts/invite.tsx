import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import type { Account } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Refusal } from "../../parts/status/notice.js";
import { en } from "../../text/en/en.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import { RoleChoice } from "./role-choice.js";

const text = enAccounts;

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const { user } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [values, setValues] = useState({ name: "", email: "", role: "" });
  const invite = useWrite({
    run: () => {
      const { role, ...rest } = values;
      return call<Account>("POST", "/_service/accounts", {
        body: {
          ...rest,
          ...(role.trim() === "" ? {} : { role: role.trim() }),
        },
      });
    },
    onDone: async ({ email }) => {
      toast(text.invited(email));
      onClose();
      await client.invalidateQueries({ queryKey: [user.id, "accounts"] });
    },
    fields: ["name", "email", "role"],
    places: { USER_ALREADY_EXISTS: "email" },
    required: () => ({ name: values.name.trim(), email: values.email.trim() }),
  });
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    error: invite.refused.fields[name],
    autoComplete: "off",
  });
  return (
    <Dialog title={text.inviteTitle} onClose={onClose}>
      <Form writes={[invite]} onSubmit={() => invite.send(undefined)}>
        <p className="small muted">{text.inviteText}</p>
        <Field label={en.common.name} {...field("name")} autoFocus />
        <Field label={en.common.email} type="email" {...field("email")} />
        <RoleChoice {...field("role")} />
        <Refusal refused={invite.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit" isBusy={invite.isBusy}>
            {text.inviteButton}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
