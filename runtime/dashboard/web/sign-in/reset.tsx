import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { configQuery } from "../api/account/queries.js";
import { call } from "../api/client/client.js";
import { useWrite } from "../api/client/writes.js";
import { mailedLink } from "../browser/address/address.js";
import { Button } from "../parts/button/button.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { SignedOutPage } from "../parts/page/page.js";
import { Notice, Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";

const text = en.reset;

export default function Reset() {
  const link = mailedLink();
  const config = useQuery(configQuery);
  const [newPassword, setNewPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const reset = useWrite({
    run: () =>
      call<undefined>("POST", "/auth/password/reset", {
        body: { token: link?.token ?? "", newPassword },
        mayBeSignedOut: true,
      }),
    onDone: () => setDone(true),
    fields: ["newPassword"],
    required: () => ({ newPassword }),
  });
  const again = <Link href="/forgot-password">{text.again}</Link>;
  if (isDone) {
    return (
      <SignedOutPage key="done" title={text.title}>
        <div role="status">
          <Notice look="good">
            <p>{text.done}</p>
          </Notice>
        </div>
        <Link className="button primary" href="/sign-in">
          {en.signIn.signIn}
        </Link>
      </SignedOutPage>
    );
  }
  if (link === null)
    return (
      <SignedOutPage key="dead" title={text.title} text={en.codes.INVALID_TOKEN} foot={again} />
    );
  return (
    <SignedOutPage key="set" title={text.title} text={text.intro} foot={again}>
      <Form writes={[reset]} onSubmit={() => reset.send(undefined)}>
        <Field
          label={en.common.newPassword}
          name="newPassword"
          type="password"
          value={newPassword}
          onChange={setNewPassword}
          autoComplete="new-password"
          error={reset.refused.fields.newPassword}
          help={en.common.passwordHelp(config.data?.passwordMinLength ?? 8)}
          autoFocus
        />
        <Refusal refused={reset.refused} />
        <Button look="primary" type="submit" isWide isBusy={reset.isBusy}>
          {text.button}
        </Button>
      </Form>
    </SignedOutPage>
  );
}
