import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type AccountPart, accountParts } from "../../api/account/account-parts.js";
import { configQuery } from "../../api/account/queries.js";
import { Title } from "../../parts/page/page.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { DevicesPart } from "./devices/devices.js";
import { PasskeysPart } from "./passkeys.js";
import { PasswordPart } from "./password.js";
import { Profile } from "./profile.js";
import "./screen.css";
import { SecondStepPart } from "./second-step/second-step.js";
import { SignInsPart } from "./sign-ins/part.js";
import { TokensPart } from "./tokens.js";

const text = enAccount;

const parts = {
  profile: Profile,
  password: PasswordPart,
  "second-step": SecondStepPart,
  passkeys: PasskeysPart,
  "sign-ins": SignInsPart,
  devices: DevicesPart,
  tokens: TokensPart,
} as const satisfies Record<AccountPart, unknown>;

export default function Account({ part }: { readonly part: string }) {
  const name = isPart(part) ? part : "profile";
  const config = useQuery(configQuery);
  const Part = parts[name];
  return (
    <>
      <div className="top">
        <Title>{text.title}</Title>
      </div>
      <div className="settings">
        <nav className="nav" aria-label={text.title}>
          {accountParts(config.data).map((one) => (
            <Link
              key={one}
              href={`/account/${one}`}
              aria-current={one === name ? "page" : undefined}
            >
              {en.account.parts[one]}
            </Link>
          ))}
        </nav>
        <Part key={name} />
      </div>
    </>
  );
}

/** Uses `hasOwn`: a word in the address may be the name of a property that every object has. */
function isPart(word: string): word is AccountPart {
  return Object.hasOwn(parts, word);
}
