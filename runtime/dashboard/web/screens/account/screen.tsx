import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { configQuestion } from "../../api/questions.js";
import { useSession } from "../../api/session.js";
import type { AuthConfig, User } from "../../api/types.js";
import { Title } from "../../parts/page.js";
import { en } from "../../text/en.js";
import { enAccount } from "../../text/en-account.js";
import { Devices } from "./devices.js";
import { PasskeysPart } from "./passkeys.js";
import { PasswordPart } from "./password.js";
import { Profile } from "./profile.js";
import "./screen.css";
import { SecondStepPart } from "./second-step.js";

const text = enAccount;

const parts = {
  profile: Profile,
  password: PasswordPart,
  "second-step": SecondStepPart,
  passkeys: PasskeysPart,
  devices: Devices,
} as const;

export default function Account({ part }: { readonly part: string }) {
  const name = part in parts ? (part as keyof typeof parts) : "profile";
  const config = useQuery(configQuestion);
  const { user } = useSession();
  const Part = parts[name];
  return (
    <>
      <div className="top">
        <Title>{text.title}</Title>
      </div>
      <div className="settings">
        <nav className="nav" aria-label={text.title}>
          {Object.entries(en.account.parts)
            .filter(([one]) => config.data === undefined || isOffered(one, config.data, user))
            .map(([one, label]) => (
              <Link
                key={one}
                href={`/account/${one}`}
                aria-current={one === name ? "page" : undefined}
              >
                {label}
              </Link>
            ))}
        </nav>
        <Part key={name} />
      </div>
    </>
  );
}

/** What the server has switched off has no page, unless there is something left to turn off. */
function isOffered(part: string, { passkeys, twoFactor }: AuthConfig, user: User): boolean {
  if (part === "passkeys") return passkeys;
  if (part !== "second-step") return true;
  return twoFactor.authenticator || twoFactor.email || user.twoFactorEnabled;
}
