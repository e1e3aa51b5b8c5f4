import { Link } from "wouter";
import { call } from "../api/client/client.js";
import type { SignedIn } from "../api/client/types.js";
import { useWrite } from "../api/client/writes.js";
import { mailedLink } from "../browser/address/address.js";
import { Button } from "../parts/button/button.js";
import { appName, SignedOutPage } from "../parts/page/page.js";
import { Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";
import { useFinish } from "./finish.js";

const text = en.link;

/** The page of a mailed sign-in link. A button uses the link, because mail scanners open links too. */
export default function LinkScreen() {
  const link = mailedLink();
  const finish = useFinish();
  const verify = useWrite({
    run: () =>
      call<SignedIn>("POST", "/auth/magic-link/verify", {
        body: { token: link?.token ?? "" },
        mayBeSignedOut: true,
      }),
    onDone: (answer) =>
      finish(answer, { way: "link", email: null, redirectTo: link?.redirectTo ?? "/" }),
  });
  const again = <Link href="/sign-in">{text.again}</Link>;
  if (link === null)
    return <SignedOutPage title={text.title} text={en.codes.INVALID_TOKEN} foot={again} />;
  return (
    <SignedOutPage title={text.title} text={text.text(appName())} foot={again}>
      <Refusal refused={verify.refused} />
      <Button look="primary" isWide isBusy={verify.isBusy} onPress={() => verify.send(undefined)}>
        {en.signIn.signIn}
      </Button>
    </SignedOutPage>
  );
}
