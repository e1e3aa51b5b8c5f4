import { refuse } from "../../errors/index.js";
import { isAllowed, refuseByRule } from "../../http/index.js";
import { type Actor, type Caller, visitor } from "../../own-code/index.js";
import { blameAppCode, wrongValues } from "../own-code/blame.js";
import { appRecord } from "../record/app-record.js";
import { isValid } from "../table/body.js";
import type { Action, ResourceDefinition } from "../table/definition.js";
import { callerToCheck } from "../write/make.js";
import type { Write } from "../write/operation.js";
import { runWrite } from "../write/run.js";

/** A resource, and a function that returns the actor of a call. */
export interface OwnResource {
  readonly definition: ResourceDefinition;
  readonly actorOf: () => Actor;
}

/** Returns the actor; throws 401 or 403 if the access rule does not allow the action. */
export async function begin({ definition, actorOf }: OwnResource, action: Action): Promise<Actor> {
  const actor = actorOf();
  checkRule(actor, definition.access[action]);
  return actor;
}

/** Runs the write that `make` returns; `make` gets the caller whose rights are checked. */
export async function write(
  own: OwnResource,
  action: Action,
  make: (caller: Caller | null, actor: Actor) => Write,
): Promise<object> {
  const actor = await begin(own, action);
  const made = make(callerToCheck(actor), actor);
  try {
    const { record } = await runWrite(actor, made);
    return record === null ? {} : appRecord(actor.services, record.json);
  } catch (error) {
    if (!("checked" in made) || isValid(made.checked)) throw error;
    const { resource } = own.definition.table;
    const wrong = wrongValues(made.checked);
    throw blameAppCode(actor, error, `wrote values to ${resource} that cannot be stored: ${wrong}`);
  }
}

/** Like the API, throws 401 or 403 if the access rule does not allow the action. */
function checkRule({ services, caller }: Actor, rule: ResourceDefinition["access"][Action]): void {
  if (services.isTrusted === true) return;
  if (isAllowed(caller ?? visitor, rule)) return;
  if (caller === null) refuse("UNAUTHENTICATED");
  refuseByRule(caller, rule);
}
