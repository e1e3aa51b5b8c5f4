import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { configQuery } from "../../api/account/queries.js";
import { call } from "../../api/client/client.js";
import type { Registered } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { prefer } from "../../browser/storage/preferences.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { SignedOutPage, Skeleton } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { en } from "../../text/en/en.js";
import { useFinish } from "../finish.js";
import { RegisterByMail } from "./by-mail.js";

const text = en.register;

export default function Register() {
  const config = useQuery(configQuery);
  const [values, setValues] = useState({ name: "", email: "", password: "" });
  const finish = useFinish();
  const [, go] = useLocation();
  const set = (name: keyof typeof values) => (value: string) =>
    setValues({ ...values, [name]: value });
  const register = useWrite({
    run: () => call<Registered>("POST", "/auth/register", { body: values, mayBeSignedOut: true }),
    onDone: (answer) => {
      prefer("email", values.email.trim());
      if ("emailVerification" in answer) go("/verify-email");
      else finish(answer, { way: "password", email: values.email, redirectTo: "/" });
    },
    fields: ["name", "email", "password"],
    places: { USER_ALREADY_EXISTS: "email" },
    required: () => ({ ...values, name: values.name.trim(), email: values.email.trim() }),
  });
  const error = (name: keyof typeof values) => register.refused.fields[name];
  const foot = (
    <>
      {en.signIn.haveAccount} <Link href="/sign-in">{en.signIn.signIn}</Link>
    </>
  );
  if (config.isPending) {
    return (
      <SignedOutPage title={text.title} foot={foot}>
        <Skeleton lines={6} />
      </SignedOutPage>
    );
  }
  if (config.data?.registration === false && config.data.registerByEmail === true)
    return <RegisterByMail config={config.data} foot={foot} />;
  if (config.data?.registration === false)
    return <SignedOutPage title={text.title} text={text.off} foot={foot} />;
  return (
    <SignedOutPage title={text.title} foot={foot}>
      <Form writes={[register]} onSubmit={() => register.send(undefined)}>
        <Field
          label={en.common.name}
          name="name"
          value={values.name}
          onChange={set("name")}
          autoComplete="name"
          error={error("name")}
          autoFocus
        />
        <Field
          label={en.common.email}
          name="email"
          type="email"
          value={values.email}
          onChange={set("email")}
          autoComplete="username"
          error={error("email")}
        />
        <Field
          label={en.common.password}
          name="password"
          type="password"
          value={values.password}
          onChange={set("password")}
          autoComplete="new-password"
          error={error("password")}
          help={en.common.passwordHelp(config.data?.passwordMinLength ?? 8)}
        />
        <Refusal refused={register.refused} />
        <Button look="primary" type="submit" isWide isBusy={register.isBusy}>
          {text.button}
        </Button>
      </Form>
    </SignedOutPage>
  );
}
