import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { configQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { isCode } from "../../api/client/errors.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Notice, Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { Card } from "./card.js";

const text = enAccount.password;
const empty = { currentPassword: "", newPassword: "" };

export function PasswordPart() {
  const { user } = useSession();
  const config = useQuery(configQuery);
  const toast = useToast();
  const [values, setValues] = useState(empty);
  const change = useWrite({
    run: () => call<undefined>("POST", "/auth/password", { body: values }),
    onDone: () => {
      setValues(empty);
      toast(text.changed);
    },
    fields: ["currentPassword", "newPassword"],
    places: { INVALID_PASSWORD: "currentPassword" },
    required: () => values,
  });
  const link = useWrite({
    run: () => call<undefined>("POST", "/auth/password/forgot", { body: { email: user.email } }),
    onDone: () => toast(text.linkSent),
  });
  const field = (name: keyof typeof empty) => ({
    name,
    type: "password" as const,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    error: change.refused.fields[name],
  });
  return (
    <Card title={text.title} text={text.text}>
      <Form className="body stack" writes={[change]} onSubmit={() => change.send(undefined)}>
        <input
          className="hidden"
          type="text"
          autoComplete="username"
          defaultValue={user.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Field label={text.current} autoComplete="current-password" {...field("currentPassword")} />
        <Field
          label={en.common.newPassword}
          autoComplete="new-password"
          help={en.common.passwordHelp(config.data?.passwordMinLength ?? 8)}
          {...field("newPassword")}
        />
        {isCode(change.error, "PASSWORD_NOT_SET") ? (
          <div role="alert" className="stack near">
            <Notice look="warn">
              <p>{text.none}</p>
            </Notice>
            <div>
              <Button isBusy={link.isBusy} onPress={() => link.send(undefined)}>
                {text.sendLink}
              </Button>
            </div>
          </div>
        ) : (
          <Refusal refused={change.refused} />
        )}
        <div>
          <Button look="primary" type="submit" isBusy={change.isBusy}>
            {text.change}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
