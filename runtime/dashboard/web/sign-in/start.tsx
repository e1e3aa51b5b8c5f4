import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import type { AuthConfig } from "../api/account/auth-config.js";
import { configQuery } from "../api/account/queries.js";
import { sentence } from "../api/client/errors.js";
import { isUnanswered, wishedPath } from "../browser/address/address.js";
import { preference } from "../browser/storage/preferences.js";
import { Button } from "../parts/button/button.js";
import { appName, Failure, SignedOutPage, Skeleton } from "../parts/page/page.js";
import { Notice } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";
import { useFinish } from "./finish.js";
import { MailedCode } from "./mail-step.js";
import { SentMail } from "./sent-mail.js";
import { mailLink, Ways } from "./ways.js";

const text = en.signIn;

type Step = { readonly kind: "ways" | "link-sent" | "code-sent" };

/** All sign-in methods that the server allows, the last used first. */
export function SignIn() {
  const config = useQuery(configQuery);
  if (config.isPending) {
    return (
      <SignedOutPage title={text.signInTo(appName())}>
        <Skeleton />
      </SignedOutPage>
    );
  }
  if (config.isError) {
    const is404 = "status" in config.error && config.error.status === 404;
    return (
      <SignedOutPage title={text.signInTo(appName())}>
        <Failure
          text={is404 ? text.unavailable : sentence(config.error)}
          onRetry={() => void config.refetch()}
        />
      </SignedOutPage>
    );
  }
  return <Steps config={config.data} />;
}

function Steps({ config }: { readonly config: AuthConfig }) {
  const [step, setStep] = useState<Step>({ kind: "ways" });
  const [email, setEmail] = useState(preference("email"));
  const finish = useFinish();
  const redirectTo = wishedPath();
  const registers = config.registerByEmail === true;
  const state: unknown = useHistoryState();
  const back = (
    <Button look="quiet" isWide onPress={() => setStep({ kind: "ways" })}>
      {text.other}
    </Button>
  );
  if (step.kind === "link-sent") {
    return (
      <SignedOutPage
        key="link"
        title={text.mailTitle}
        text={(registers ? text.linkMailed : text.linkSent)(email)}
      >
        <SentMail again={() => mailLink(email, redirectTo)}>{back}</SentMail>
      </SignedOutPage>
    );
  }
  if (step.kind === "code-sent") {
    return (
      <SignedOutPage
        key="code"
        title={text.mailTitle}
        text={(registers ? text.codeMailed : text.codeSent)(email)}
      >
        <MailedCode
          email={email}
          path="/auth/email-code/verify"
          again="/auth/email-code"
          button={text.signIn}
          onDone={(answer: Parameters<typeof finish>[0]) =>
            finish(answer, { way: "code", email, redirectTo })
          }
        >
          {back}
        </MailedCode>
      </SignedOutPage>
    );
  }
  const create = (
    <>
      {text.newHere} <Link href="/register">{text.create}</Link>
    </>
  );
  return (
    <SignedOutPage
      key="ways"
      title={text.signInTo(appName())}
      foot={config.registration || registers ? create : null}
    >
      {isUnanswered(state) ? (
        <div role="alert">
          <Notice look="warn">
            <p>{en.frame.signOutFailed}</p>
          </Notice>
        </div>
      ) : null}
      <Ways
        config={config}
        email={email}
        onEmail={setEmail}
        redirectTo={redirectTo}
        onSent={(what) => setStep({ kind: what === "link" ? "link-sent" : "code-sent" })}
      />
    </SignedOutPage>
  );
}
