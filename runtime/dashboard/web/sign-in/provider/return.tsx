import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { linkTicket, verifyTicket } from "../../api/account/providers.js";
import { meQuery } from "../../api/account/queries.js";
import { takeDeparture } from "../../api/client/challenge.js";
import { isCode, sentence } from "../../api/client/errors.js";
import { providerAnswer } from "../../browser/address/address.js";
import { preference } from "../../browser/storage/preferences.js";
import { Failure, SignedOutPage, Skeleton } from "../../parts/page/page.js";
import { en } from "../../text/en/en.js";
import { useFinish } from "../finish.js";

const text = en.provider;

/** The page that a provider's callback returns to: it uses the ticket immediately, with this tab's secret. */
export default function ProviderReturn() {
  const [departure] = useState(takeDeparture);
  const [answer] = useState(providerAnswer);
  const [failure, setFailure] = useState<string | null>(null);
  const finish = useFinish();
  const client = useQueryClient();
  const [, go] = useLocation();
  const isLink = departure?.what === "link";

  // biome-ignore lint/correctness/useExhaustiveDependencies: a ticket is used once
  useEffect(() => {
    void use().catch((error: unknown) => {
      setFailure(isCode(error, "INVALID_TOKEN") ? text.invalid : sentence(error));
    });
  }, []);

  async function use(): Promise<void> {
    const ticket = answer?.ticket ?? null;
    if (departure === null || ticket === null) {
      setFailure(sentenceOf(answer?.error ?? null));
      return;
    }
    const { secret, account, redirectTo } = departure;
    if (isLink) {
      const { user } = await client.fetchQuery(meQuery);
      if (user.id !== account) {
        setFailure(text.otherAccount);
        return;
      }
      await linkTicket(ticket, secret);
      go(redirectTo, { replace: true });
      return;
    }
    finish(await verifyTicket(ticket, secret), {
      way: preference("way"),
      email: null,
      redirectTo,
    });
  }

  const back = isLink ? (
    <Link href="/account/sign-ins">{text.backToAccount}</Link>
  ) : (
    <Link href="/sign-in">{text.back}</Link>
  );
  return (
    <SignedOutPage title={isLink ? text.linking : text.title} foot={back}>
      {failure === null ? <Skeleton /> : <Failure text={failure} />}
    </SignedOutPage>
  );
}

/** The message for an error of the callback. */
function sentenceOf(error: string | null): string {
  if (error === "ACCESS_DENIED") return text.denied;
  if (error === "PROVIDER_UNAVAILABLE") return en.codes.PROVIDER_UNAVAILABLE ?? text.invalid;
  return text.invalid;
}
