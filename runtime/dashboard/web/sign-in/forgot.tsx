import { useState } from "react";
import { Link } from "wouter";
import { call } from "../api/client/client.js";
import { useWrite } from "../api/client/writes.js";
import { carried } from "../browser/address/address.js";
import { preference } from "../browser/storage/preferences.js";
import { Button } from "../parts/button/button.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { SignedOutPage } from "../parts/page/page.js";
import { Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";
import { SentMail } from "./sent-mail.js";

const text = en.forgot;

/** The address that was typed on the sign-in page. */
function typedBefore(): string | null {
  const email = carried("email");
  return typeof email === "string" && email.trim() !== "" ? email : null;
}

export default function Forgot() {
  const [email, setEmail] = useState(() => typedBefore() ?? preference("email"));
  const [isSent, setSent] = useState(false);
  const ask = () =>
    call<undefined>("POST", "/auth/password/forgot", { body: { email }, mayBeSignedOut: true });
  const send = useWrite({
    run: ask,
    onDone: () => setSent(true),
    fields: ["email"],
    required: () => ({ email: email.trim() }),
  });
  if (isSent) {
    return (
      <SignedOutPage key="sent" title={en.signIn.mailTitle} text={text.sent(email)}>
        <SentMail again={ask}>
          <Link className="button quiet wide" href="/sign-in">
            {en.signIn.signIn}
          </Link>
        </SentMail>
      </SignedOutPage>
    );
  }
  const foot = <Link href="/sign-in">{en.signIn.signIn}</Link>;
  return (
    <SignedOutPage key="ask" title={text.title} text={text.intro} foot={foot}>
      <Form writes={[send]} onSubmit={() => send.send(undefined)}>
        <Field
          label={en.common.email}
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="username"
          error={send.refused.fields.email}
          autoFocus
        />
        <Refusal refused={send.refused} />
        <Button look="primary" type="submit" isWide isBusy={send.isBusy}>
          {text.button}
        </Button>
      </Form>
    </SignedOutPage>
  );
}
