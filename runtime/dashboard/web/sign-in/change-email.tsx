import { useState } from "react";
import { Link } from "wouter";
import { call } from "../api/client/client.js";
import { useWrite } from "../api/client/writes.js";
import { mailedLink } from "../browser/address/address.js";
import { Button } from "../parts/button/button.js";
import { appName, SignedOutPage } from "../parts/page/page.js";
import { Notice, Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";

const text = en.changeEmail;

/** The page of a link mailed to a new address. A button uses the link, because mail scanners open links too. */
export default function ChangeEmail() {
  const link = mailedLink();
  const [isDone, setDone] = useState(false);
  const change = useWrite({
    run: () =>
      call<undefined>("POST", "/auth/email/change/verify", {
        body: { token: link?.token ?? "" },
        mayBeSignedOut: true,
      }),
    onDone: () => setDone(true),
  });
  const foot = <Link href="/sign-in">{en.signIn.signIn}</Link>;
  if (link === null) {
    return <SignedOutPage title={text.title} text={en.codes.INVALID_TOKEN} foot={foot} />;
  }
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
  return (
    <SignedOutPage title={text.title} text={text.text(appName())} foot={foot}>
      <Refusal refused={change.refused} />
      <Button look="primary" isWide isBusy={change.isBusy} onPress={() => change.send(undefined)}>
        {text.button}
      </Button>
    </SignedOutPage>
  );
}
