import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "../../api/account/queries.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { prefer } from "../../browser/storage/preferences.js";
import { Button } from "../../parts/button/button.js";
import { CodeField } from "../../parts/form/code-field.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { OwnerButton, OwnPassword, passwordIn, passwordPlaces } from "./owner-check.js";

const text = enAccount.address;

/** Asks for a new address, and then for the code mailed to it. */
export function NewAddress({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isMailed, setMailed] = useState(false);
  const request = useWrite({
    run: () =>
      call<undefined>("POST", "/auth/email/change", {
        body: {
          email: email.trim(),
          ...passwordIn(password),
        },
      }),
    onDone: () => setMailed(true),
    fields: ["email", "password"],
    places: passwordPlaces,
    required: () => ({ email: email.trim() }),
  });
  if (isMailed) return <MailedToNew email={email.trim()} onClose={onClose} />;
  return (
    <Dialog key="address" title={text.title} onClose={onClose} closesOutside={email === ""}>
      <Form writes={[request]} onSubmit={() => request.send(undefined)}>
        <p>{text.text}</p>
        <Field
          label={text.email}
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="email"
          error={request.refused.fields.email}
          autoFocus
        />
        <OwnPassword
          value={password}
          onChange={setPassword}
          error={request.refused.fields.password}
        />
        <Refusal refused={request.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <OwnerButton write={request} look="primary">
            {text.send}
          </OwnerButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface MailedToNewProps {
  readonly email: string;
  readonly onClose: () => void;
}

function MailedToNew({ email, onClose }: MailedToNewProps) {
  const client = useQueryClient();
  const toast = useToast();
  const [code, setCode] = useState("");
  const verify = useWrite({
    run: (entered: string) =>
      call<undefined>("POST", "/auth/email/change/verify", { body: { code: entered } }),
    onDone: async () => {
      prefer("email", email);
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      toast(text.changed(email));
      onClose();
    },
    fields: ["code"],
    places: { INVALID_OTP: "code", OTP_EXPIRED: "code" },
    required: (entered) => ({ code: entered }),
  });
  return (
    <Dialog key="code" title={text.title} onClose={onClose}>
      <Form writes={[verify]} onSubmit={() => verify.send(code)}>
        <p>{text.mailed(email)}</p>
        <CodeField
          label={en.signIn.codeLabel}
          value={code}
          onChange={setCode}
          onComplete={verify.send}
          error={verify.refused.fields.code}
          help={en.signIn.codeHelp}
          autoFocus
        />
        <Refusal refused={verify.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit" isBusy={verify.isBusy}>
            {text.change}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
