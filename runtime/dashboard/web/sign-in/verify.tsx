import { useState } from "react";
import { Link } from "wouter";
import { call } from "../api/client/client.js";
import { useWrite } from "../api/client/writes.js";
import { mailedLink } from "../browser/address/address.js";
import { preference } from "../browser/storage/preferences.js";
import { Button } from "../parts/button/button.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { SignedOutPage } from "../parts/page/page.js";
import { Notice, Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";
import { MailedCode } from "./mail-step.js";

const text = en.verify;
const options = { mayBeSignedOut: true };

/** Verifies an email address by the link or the code in an email. */
export default function Verify() {
  const link = mailedLink();
  const [isDone, setDone] = useState(false);
  const foot = <Link href="/sign-in">{en.signIn.signIn}</Link>;
  if (isDone) {
    return (
      <SignedOutPage key="done" title={text.title} foot={foot}>
        <div role="status">
          <Notice look="good">
            <p>{text.done}</p>
          </Notice>
        </div>
        <Link className="button primary" href="/">
          {text.go}
        </Link>
      </SignedOutPage>
    );
  }
  if (link === null) return <ByCode onDone={() => setDone(true)} />;
  return <ByLink token={link.token} onDone={() => setDone(true)} />;
}

function ByLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const verify = useWrite({
    run: () => call<undefined>("POST", "/auth/email/verify", { body: { token }, ...options }),
    onDone,
  });
  return (
    <SignedOutPage
      title={text.title}
      text={text.link}
      foot={<Link href="/sign-in">{en.signIn.signIn}</Link>}
    >
      <Refusal refused={verify.refused} />
      <Button look="primary" isWide isBusy={verify.isBusy} onPress={() => verify.send(undefined)}>
        {text.button}
      </Button>
    </SignedOutPage>
  );
}

function ByCode({ onDone }: { readonly onDone: () => void }) {
  const [email, setEmail] = useState(preference("email"));
  const [isAsked, setAsked] = useState(email !== "");
  const send = useWrite({
    run: () => call<undefined>("POST", "/auth/email/send", { body: { email }, ...options }),
    onDone: () => setAsked(true),
    fields: ["email"],
    required: () => ({ email: email.trim() }),
  });
  const foot = <Link href="/sign-in">{en.signIn.signIn}</Link>;
  if (isAsked) {
    return (
      <SignedOutPage key="code" title={text.title} text={text.enter(email)} foot={foot}>
        <MailedCode
          email={email}
          path="/auth/email/verify"
          again="/auth/email/send"
          button={text.button}
          onDone={onDone}
        />
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage key="address" title={text.title} foot={foot}>
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
          {text.send}
        </Button>
      </Form>
    </SignedOutPage>
  );
}
