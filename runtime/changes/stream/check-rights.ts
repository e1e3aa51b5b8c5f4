import { refusals } from "../../errors/index.js";
import type { Gate } from "../../http/index.js";
import { type Log, type Services, visitor } from "../../own-code/index.js";
import { hasPolicy, isAllowedBy } from "../../resource/index.js";
import { endText, resetText } from "./events.js";
import { endQuietly, endWith, type Subscriber } from "./subscriber.js";

interface Checking {
  readonly gate: Gate;
  readonly services: Services;
}

/**
 * Ends the streams whose tokens have expired or been revoked, or whose accounts have another role. All are checked with
 * one statement.
 */
export async function checkTokens(
  { gate, services }: Checking,
  subscribers: Iterable<Subscriber>,
): Promise<void> {
  const all = [...subscribers];
  const signedIn = all.filter(({ caller }) => caller !== visitor);
  if (gate.rolesOf === undefined) {
    const waiting = all[Symbol.iterator]();
    const checkInTurn = async () => {
      for (const subscriber of waiting) {
        await checkByRequest({ gate, services }, subscriber).catch((err: unknown) =>
          endFailed(subscriber, services.log, err),
        );
      }
    };
    await Promise.all(Array.from({ length: maxChecks }, checkInTurn));
    return;
  }
  if (signedIn.length === 0) return;
  const roles = await gate.rolesOf(signedIn.map(({ caller }) => caller));
  for (const subscriber of signedIn) {
    const now = roles.get(subscriber.caller);
    if (now === undefined) endWith(subscriber, signedOut);
    else if (now !== subscriber.caller.role) endWith(subscriber, resetText("rights"));
  }
}

/** Maximum number of requests that an app's own sign-in checks concurrently. */
const maxChecks = 20;

/** Ends a stream whose rights cannot be checked: the client reconnects with a new request. */
function endFailed(subscriber: Subscriber, log: Log, err: unknown): void {
  log.warn({ err }, "The rights of a stream cannot be checked");
  endQuietly(subscriber);
}

/** Checks a stream of an app with its own sign-in. */
async function checkByRequest({ gate, services }: Checking, subscriber: Subscriber): Promise<void> {
  const now = await gate.identify({ request: subscriber.request, services });
  const isVisitor = subscriber.caller === visitor;
  if (now === null && isVisitor) return;
  if (now === null) endWith(subscriber, signedOut);
  else if (now.role !== subscriber.caller.role || now.accountId !== subscriber.caller.accountId) {
    endWith(subscriber, resetText("rights"));
  }
}

const signedOut = endText(401, refusals.UNAUTHENTICATED.sentence);
const refused = endText(403, refusals.FORBIDDEN.sentence);

/** Ends the streams that the app's policies now refuse. */
export async function checkPolicies(
  services: Services,
  subscribers: Iterable<Subscriber>,
): Promise<void> {
  for (const subscriber of [...subscribers]) {
    await checkPolicy(services, subscriber).catch((err: unknown) => {
      endFailed(subscriber, services.log, err);
    });
  }
}

async function checkPolicy(services: Services, subscriber: Subscriber): Promise<void> {
  const { group } = subscriber;
  const caller = subscriber.caller === visitor ? null : subscriber.caller;
  for (const { table } of group.watched) {
    if (subscriber.isClosed || !hasPolicy({ services }, table, "list")) continue;
    const isAllowed = await isAllowedBy({ services, caller }, { table, action: "list" });
    if (!isAllowed) endWith(subscriber, refused);
  }
}
