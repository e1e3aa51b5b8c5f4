import { Link } from "wouter";
import { call } from "../../api/client.js";
import type { SignedIn } from "../../api/types.js";
import { useWrite } from "../../api/writes.js";
import { useFinish } from "../../flow/finish.js";
import { Button } from "../../parts/button.js";
import { Refusal } from "../../parts/notice.js";
import { appName, SignedOutPage } from "../../parts/page.js";
import { mailedLink } from "../../place/address.js";
import { en } from "../../text/en.js";

const text = en.link;

/** The page of a mailed sign-in link. A button uses the link, because mail scanners open links too. */
export default function LinkScreen() {
  const link = mailedLink();
  const finish = useFinish();
  const verify = useWrite({
    run: () =>
      call<SignedIn>(
        "POST",
        "/auth/magic-link/verify",
        { token: link?.token ?? "" },
        { mayBeSignedOut: true },
      ),
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
