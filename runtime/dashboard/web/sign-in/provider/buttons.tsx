import { lazy, Suspense } from "react";
import type { Provider } from "../../api/account/auth-config.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Refusal } from "../../parts/status/notice.js";
import { en } from "../../text/en/en.js";
import { goToProvider } from "./departure.js";

const text = en.signIn;

/** Loaded separately: most apps show none, and they are 1 % of what is loaded before the sign-in. */
const Mark = lazy(async () => {
  const { ProviderMark } = await import("../../parts/button/provider-mark.js");
  return { default: ProviderMark };
});
const marked: ReadonlySet<string> = new Set(["google", "apple", "github", "microsoft"]);

export interface ProviderButtonsProps {
  readonly providers: readonly Provider[];
  readonly redirectTo: string;
}

/** A button for each provider, in the order of the settings, worded as the providers' branding rules require. */
export function ProviderButtons({ providers, redirectTo }: ProviderButtonsProps) {
  const leave = useWrite({
    run: (name: string) => goToProvider(name, { what: "sign-in", account: null, redirectTo }),
  });
  if (providers.length === 0) return null;
  return (
    <div className="stack near">
      <p className="or">{text.orOther}</p>
      <div className="methods stack near">
        {providers.map(({ name, title }) => (
          <Button
            key={name}
            isWide
            isBusy={leave.isBusy}
            barred={isSecureContext ? undefined : text.providerInsecure}
            onPress={() => leave.send(name)}
          >
            {marked.has(name) ? (
              <Suspense fallback={<svg className="icon" aria-hidden="true" />}>
                <Mark name={name} />
              </Suspense>
            ) : null}
            {text.provider(title)}
          </Button>
        ))}
      </div>
      <Refusal refused={leave.refused} />
    </div>
  );
}
