import { useState } from "react";
import { Link } from "wouter";
import { keepChallenge, keptChallenge } from "../api/client/challenge.js";
import { preference } from "../browser/storage/preferences.js";
import { Failure, SignedOutPage } from "../parts/page/page.js";
import { now } from "../text/dates.js";
import { en } from "../text/en/en.js";
import { useFinish } from "./finish.js";
import { SecondStepForm } from "./second-step-form.js";

const text = en.second;

export default function SecondStep() {
  const [challenge, setChallenge] = useState(keptChallenge);
  const finish = useFinish();
  const foot = <Link href="/sign-in">{text.somebodyElse}</Link>;
  if (challenge === null || challenge.until < now()) {
    return (
      <SignedOutPage title={text.title} foot={foot}>
        <Failure text={text.over} />
        <Link className="button primary" href="/sign-in">
          {text.restart}
        </Link>
      </SignedOutPage>
    );
  }
  const { email, redirectTo } = challenge;
  return (
    <SignedOutPage title={text.title} foot={foot}>
      <SecondStepForm
        challenge={challenge}
        onDone={(answer) => finish(answer, { way: preference("way"), email, redirectTo })}
        onOver={() => {
          keepChallenge(null);
          setChallenge(null);
        }}
        onTried={(left) => {
          const next = { ...challenge, tries: left };
          keepChallenge(next);
          setChallenge(next);
        }}
      />
    </SignedOutPage>
  );
}
