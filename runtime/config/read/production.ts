import type { Problem } from "../../values/problem.js";
import { listWords } from "../../values/text.js";
import type { Variables } from "../environment/variables.js";
import type { ConfigWarning } from "../result/config.js";
import { environmentProblem } from "../result/problem.js";
import type { Settings } from "../shape/shape.js";

/** Reported if no database is configured: a server does not start an embedded database. */
export const noDatabase = environmentProblem(
  "DATABASE_URL is not set",
  "set it to a PostgreSQL address, or run npx service dev, which starts its own database",
);

/** Returns a problem for each missing setting that only production requires. */
export function productionProblems(settings: Settings, variables: Variables): readonly Problem[] {
  const problems: Problem[] = settings.database.url === "" ? [noDatabase] : [];
  if (variables.SERVICE_SECRET === undefined) {
    problems.push(
      environmentProblem(
        "SERVICE_SECRET must be set in production",
        "generate one with `openssl rand -base64 48` and give every instance the same",
      ),
    );
  }
  const linking = linkingMethods(settings);
  if (variables.SERVICE_WEB_URL === undefined && linking.length > 0) {
    problems.push(
      environmentProblem(
        `SERVICE_WEB_URL must be set in production while ${areOn(linking)}`,
        "set it to the dashboard's address, or switch these off in service.yaml",
      ),
    );
  }
  return problems;
}

/** Returns warnings about settings whose absence in production is probably unintended. */
export function productionWarnings(
  settings: Settings,
  { SERVICE_WEB_URL }: Pick<Variables, "SERVICE_WEB_URL">,
): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const { auth, mailer } = settings;
  if (!auth.enabled) return warnings;
  if (mailer.driver === "none") {
    const mailing = [...mailingMethods(settings), "the reset of passwords"];
    warnings.push({
      about: "mailer",
      message: `mailer.driver is none, so no mail is sent, while ${areOn(mailing)}`,
      hint: "set SERVICE_MAIL_URL, or mailer in service.yaml",
    });
  }
  if (SERVICE_WEB_URL === undefined) {
    warnings.push({
      about: "dashboard",
      message: "SERVICE_WEB_URL is not set, so links that reset a password cannot be created",
      hint: "set it to the dashboard's address",
    });
  } else {
    warnings.push(...passkeyWarnings(auth, { setting: "SERVICE_WEB_URL", url: SERVICE_WEB_URL }));
  }
  for (const [name, url] of Object.entries(auth.sites)) {
    warnings.push(...passkeyWarnings(auth, { setting: `auth.sites.${name}`, url }));
  }
  return warnings;
}

/** Warns if passkeys are enabled, but no browser supports them at the address of a front end. */
function passkeyWarnings(
  { passkeys }: Pick<Settings["auth"], "passkeys">,
  { setting, url }: { readonly setting: string; readonly url: string },
): readonly ConfigWarning[] {
  if (!passkeys || takesPasskeys(new URL(url))) return [];
  const message = `${setting} is neither an https address with a host name nor localhost, so no browser will use a passkey there`;
  const hint = "serve it over https under a host name, or set auth.passkeys to false";
  return [{ about: "dashboard", message, hint }];
}

/**
 * Whether a browser allows passkeys at an address: only in a secure context, and not for IP addresses (WebAuthn
 * §5.1.2).
 */
function takesPasskeys({ protocol, hostname }: URL): boolean {
  const isName = !/^[\d.]+$|^\[/.test(hostname);
  return isName && (protocol === "https:" || hostname === "localhost");
}

/** Returns the enabled methods whose emails link to the dashboard, or that need its origin. */
function linkingMethods({ auth }: Settings): readonly string[] {
  return switchedOn(auth, {
    "auth.magic_link": auth.magic_link,
    "auth.passkeys": auth.passkeys,
    "auth.registration": auth.registration,
    "auth.require_email_verification": auth.require_email_verification,
    "auth.operators": auth.operators.length > 0,
    "auth.providers": Object.keys(auth.providers).length > 0,
    "auth.apps": auth.apps !== undefined,
  });
}

function mailingMethods({ auth }: Settings): readonly string[] {
  return switchedOn(auth, {
    "auth.magic_link": auth.magic_link,
    "auth.email_code": auth.email_code,
    "auth.two_factor.email": auth.two_factor.email,
    "auth.registration": auth.registration,
    "auth.require_email_verification": auth.require_email_verification,
    "auth.operators": auth.operators.length > 0,
  });
}

/** Returns `a is on`, or `a, b and c are on`. */
function areOn(names: readonly string[]): string {
  return `${listWords(names)} ${names.length === 1 ? "is" : "are"} on`;
}

function switchedOn(
  { enabled }: Settings["auth"],
  switches: Record<string, boolean>,
): readonly string[] {
  return enabled ? Object.keys(switches).filter((name) => switches[name]) : [];
}
