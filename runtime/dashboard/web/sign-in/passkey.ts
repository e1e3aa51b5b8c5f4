import { useEffect, useRef, useState } from "react";
import { canFillIn, PasskeyCancelled, signInWithPasskey } from "../api/account/passkeys.js";
import { nothingRefused, type Refused, refusedOf } from "../api/client/errors.js";
import type { SignedIn } from "../api/client/types.js";
import { en } from "../text/en/en.js";

/** Offers passkeys in the address field's autofill from the start, and in the browser's dialog on request. */
export function usePasskey(
  { isOffered }: { readonly isOffered: boolean },
  onDone: (answer: SignedIn) => void,
) {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused>(nothingRefused);
  const running = useRef<AbortController | null>(null);
  const done = useRef(onDone);
  done.current = onDone;

  useEffect(() => {
    if (!isOffered) return;
    const waiting = new AbortController();
    running.current = waiting;
    void canFillIn().then((can) => {
      if (!can || waiting.signal.aborted) return;
      return signInWithPasskey("conditional", waiting.signal).then(
        (answer) => done.current(answer),
        // Autofill was not requested by the user, so only the button's dialog reports errors.
        () => {},
      );
    });
    return () => waiting.abort();
  }, [isOffered]);

  async function run(): Promise<void> {
    running.current?.abort();
    const prompt = new AbortController();
    running.current = prompt;
    setBusy(true);
    setRefused(nothingRefused);
    try {
      done.current(await signInWithPasskey("optional", prompt.signal));
    } catch (error) {
      if (prompt.signal.aborted) return;
      const isCancelled = error instanceof PasskeyCancelled;
      setRefused(
        isCancelled
          ? { ...nothingRefused, general: en.signIn.passkeyCancelled }
          : refusedOf(error, []),
      );
    } finally {
      setBusy(false);
    }
  }

  return { ask: () => void run(), isBusy, refused, clear: () => setRefused(nothingRefused) };
}
