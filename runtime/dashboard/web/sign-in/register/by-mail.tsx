import { type ReactNode, useState } from "react";
import type { AuthConfig } from "../../api/account/auth-config.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { prefer } from "../../browser/storage/preferences.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { SignedOutPage } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { en } from "../../text/en/en.js";
import { type Finished, useFinish } from "../finish.js";
import { MailedCode } from "../mail-step.js";
import { SentMail } from "../sent-mail.js";
import { mailLink } from "../ways.js";

const text = en.register;

export interface RegisterByMailProps {
  readonly config: Pick<AuthConfig, "emailCode">;
  readonly foot: ReactNode;
}

/** Registers with a mailed code or, if codes are disabled, with a link, which allows no choice of name. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose steps share its state
export function RegisterByMail({ config: { emailCode }, foot }: RegisterByMailProps) {
  const [values, setValues] = useState({ name: "", email: "" });
  const [isMailed, setMailed] = useState(false);
  const finish = useFinish();
  const name = values.name.trim();
  const email = values.email.trim();
  const mail = useWrite({
    run: () =>
      emailCode
        ? call<undefined>("POST", "/auth/email-code", { body: { email }, mayBeSignedOut: true })
        : mailLink(email, "/"),
    onDone: () => {
      prefer("email", email);
      setMailed(true);
    },
    fields: ["email"],
    required: () => (emailCode ? { name, email } : { email }),
  });
  if (isMailed && !emailCode) {
    return (
      <SignedOutPage key="link" title={en.signIn.mailTitle} text={en.signIn.linkMailed(email)}>
        <SentMail again={() => mailLink(email, "/")}>{foot}</SentMail>
      </SignedOutPage>
    );
  }
  if (isMailed) {
    const how: Finished = { way: "code", email, redirectTo: "/" };
    return (
      <SignedOutPage
        key="code"
        title={en.signIn.mailTitle}
        text={en.signIn.codeMailed(email)}
        foot={foot}
      >
        <MailedCode
          email={email}
          path="/auth/email-code/verify"
          again="/auth/email-code"
          button={text.button}
          more={{ name }}
          onDone={(answer: Parameters<typeof finish>[0]) => finish(answer, how)}
        />
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage
      key="address"
      title={text.title}
      text={emailCode ? text.byMail : text.byLink}
      foot={foot}
    >
      <Form writes={[mail]} onSubmit={() => mail.send(undefined)}>
        {emailCode ? (
          <Field
            label={en.common.name}
            name="name"
            value={values.name}
            onChange={(typed) => setValues({ ...values, name: typed })}
            autoComplete="name"
            error={mail.refused.fields.name}
            autoFocus
          />
        ) : null}
        <Field
          label={en.common.email}
          name="email"
          type="email"
          value={values.email}
          onChange={(typed) => setValues({ ...values, email: typed })}
          autoComplete="username"
          error={mail.refused.fields.email}
        />
        <Refusal refused={mail.refused} />
        <Button look="primary" type="submit" isWide isBusy={mail.isBusy}>
          {emailCode ? text.sendCode : text.sendLink}
        </Button>
      </Form>
    </SignedOutPage>
  );
}
