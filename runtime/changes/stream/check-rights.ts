import { refusals } from "../../errors/index.js";
import type { Gate } from "../../http/index.js";
import type { Log, Services } from "../../own-code/index.js";
import { hasPolicy, isAllowedBy } from "../../resource/index.js";
import { endText, resetText } from "./events.js";
import { endQuietly, endWith, type Reader } from "./reader.js";

/** Ends the streams whose tokens have ended, or whose accounts have another role. One statement checks all of them. */
export async function checkTokens(
  { gate, log }: { readonly gate: Gate; readonly log: Log },
  readers: Iterable<Reader>,
): Promise<void> {
  const all = [...readers];
  if (gate.stillOpen === undefined) {
    const waiting = all[Symbol.iterator]();
    const checkInTurn = async () => {
      for (const reader of waiting) {
        await checkByRequest(gate, reader).catch((err: unknown) => endFailed(reader, log, err));
      }
    };
    await Promise.all(Array.from({ length: maxChecks }, checkInTurn));
    return;
  }
  const sessions = new Set(all.flatMap(({ caller }) => caller.sessionId ?? []));
  if (sessions.size === 0) return;
  const open = await gate.stillOpen([...sessions]);
  for (const reader of all) {
    const { sessionId, role } = reader.caller;
    const now = sessionId === null ? undefined : open.get(sessionId);
    if (now === undefined) endWith(reader, signedOut);
    else if (now !== role) endWith(reader, resetText("rights"));
  }
}

/** Requests that an app's own sign-in identifies at the same time. */
const maxChecks = 20;

/** Ends a stream whose rights cannot be checked: the client reconnects, and its request is judged like any other. */
function endFailed(reader: Reader, log: Log, err: unknown): void {
  log.warn({ err }, "The rights of a stream cannot be checked");
  endQuietly(reader);
}

/** For an app with its own sign-in. */
async function checkByRequest(gate: Gate, reader: Reader): Promise<void> {
  const now = await gate.identify(reader.request);
  if (now === null) endWith(reader, signedOut);
  else if (now.role !== reader.caller.role || now.accountId !== reader.caller.accountId) {
    endWith(reader, resetText("rights"));
  }
}

const signedOut = endText(401, refusals.UNAUTHENTICATED.sentence);
const refused = endText(403, refusals.FORBIDDEN.sentence);

/** Ends the streams that the app's own policies now refuse. */
export async function checkPolicies(services: Services, readers: Iterable<Reader>): Promise<void> {
  for (const reader of [...readers]) {
    await checkPolicy(services, reader).catch((err: unknown) => {
      endFailed(reader, services.log, err);
    });
  }
}

async function checkPolicy(services: Services, reader: Reader): Promise<void> {
  const { caller, group } = reader;
  for (const { table } of group.watched) {
    if (reader.isClosed || !hasPolicy({ services }, table, "list")) continue;
    if (!(await isAllowedBy({ services, caller }, table, "list"))) endWith(reader, refused);
  }
}
