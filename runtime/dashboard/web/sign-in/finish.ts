import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { keepChallenge } from "../api/client/challenge.js";
import type { SignedIn } from "../api/client/types.js";
import { type Preferences, prefer } from "../browser/storage/preferences.js";
import { noteAccount } from "../browser/storage/tabs.js";
import { now } from "../text/dates.js";

/** Milliseconds for which a sign-in waits for its second step: the lifetime of the API's challenge. */
const challengeMs = 600_000;

/** Maximum number of attempts at a second step. */
export const maxGuesses = 5;

export interface Finished {
  readonly way: Preferences["way"];
  readonly email: string | null;
  readonly redirectTo: string;
}

/** Continues after a sign-in response with the second step or the requested page. */
export function useFinish(): (answer: SignedIn, how: Finished) => void {
  const client = useQueryClient();
  const [, go] = useLocation();
  return (answer, { way, email, redirectTo }) => {
    prefer("way", way);
    if ("twoFactor" in answer) {
      const { challenge, methods } = answer;
      const until = now() + challengeMs;
      keepChallenge({ challenge, methods, until, email, redirectTo, tries: maxGuesses });
      go("/sign-in/second-step", { replace: true });
      return;
    }
    keepChallenge(null);
    prefer("email", answer.user.email);
    noteAccount(answer.user.id);
    // Drops all data loaded for another account.
    client.clear();
    go(redirectTo, { replace: true });
  };
}
