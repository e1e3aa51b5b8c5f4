import { z } from "zod";
import { accept, isOperator, labelShape } from "../auth/index.js";
import { foreignKeyViolation, type Queryable } from "../db/index.js";
import { refuse } from "../errors/index.js";
import {
  type Answer,
  type Context,
  type HandledRoute,
  isAllowed,
  Parameters,
  readJson,
  refuseByRule,
  refuseUnauthenticated,
} from "../http/index.js";
import type { Caller } from "../own-code/index.js";
import { checkPolicy, type ResourceDefinition } from "../resource/index.js";
import { isUnicode } from "../values/text.js";
import { isUuid } from "../values/uuid.js";
import { addView, changeView, deleteView, listViews, lockAuthor, type ShownView } from "./store.js";

/** Maximum number of views per resource: more than a menu can usefully show. */
const maxViews = 100;
/** Maximum number of characters of a view's name. */
const maxNameLength = 100;
const maxQueryLength = 4_000;
/** Maximum size of a request body in bytes. The longest query as JSON, with every character escaped, takes 48 kB. */
const maxBodyBytes = 64 * 1024;

const name = labelShape(maxNameLength);
const query = z
  .string({ error: "Must be text" })
  .refine((text) => [...text].length <= maxQueryLength, {
    error: `Must have at most ${maxQueryLength} characters`,
  })
  .refine(isUnicode, { error: "Must be Unicode without NUL characters" });

const changeShape = z.strictObject({ name: name.optional(), query: query.optional() });

const path = "/_service/views";

/** The routes at `/_service/views`: saved lists, shared with all callers who may list the resource. */
export function viewRoutes(definitions: readonly ResourceDefinition[]): readonly HandledRoute[] {
  const byName = new Map(definitions.map((one) => [one.table.resource, one]));
  const isKnown = (resource: string) => byName.has(resource);
  const newShape = z.strictObject({
    resource: z
      .string({ error: "Must be the name of a resource" })
      .refine(isKnown, { error: "There is no such resource" }),
    name,
    query,
  });

  async function list(context: Context): Promise<Answer> {
    const parameters = new Parameters(context.query);
    const resource = parameters.take("resource") ?? "";
    if (!isKnown(resource)) parameters.reject("resource", "Must be the name of a resource");
    parameters.finish();
    await refuseUnlisted(context, resource);
    const views = await listViews(context.services.db, resource);
    return { status: 200, json: JSON.stringify({ data: views.map((one) => seen(one, context)) }) };
  }

  async function add(context: Context): Promise<Answer> {
    const sent = await readJson(context, maxBodyBytes);
    // A caller who may not list the resource gets only that error.
    if (typeof sent.resource === "string") await refuseUnlisted(context, sent.resource);
    const values = accept(newShape, sent);
    const by = callerOf(context).accountId;
    const made = await context.services.db
      .transaction((tx) => addView(tx, { ...values, by }, maxViews))
      .catch((error: unknown) => {
        // The account was deleted after its token was checked.
        if (foreignKeyViolation(error) !== null) refuseUnauthenticated();
        throw error;
      });
    if (made === null) refuse("REFUSED", { error: `A resource has at most ${maxViews} views` });
    return { status: 201, json: JSON.stringify(seen(made, context)) };
  }

  /** 403 if the resource exists, but the caller may not list it. */
  async function refuseUnlisted(context: Context, resource: string): Promise<void> {
    const definition = byName.get(resource);
    if (definition === undefined) return;
    const { table, access } = definition;
    const caller = callerOf(context);
    if (!isAllowed(caller, access.list)) refuseByRule(caller, access.list);
    await checkPolicy(context, { table, action: "list" });
  }

  return [
    { method: "GET", path, access: "signed-in", handle: list },
    { method: "POST", path, access: "signed-in", handle: add },
    { method: "PATCH", path: `${path}/:id`, access: "signed-in", handle: change },
    { method: "DELETE", path: `${path}/:id`, access: "signed-in", handle: remove },
  ];
}

async function change(context: Context): Promise<Answer> {
  const sent = await readJson(context, maxBodyBytes);
  const changed = await onOwnView(context, async (tx, id) =>
    changeView(tx, id, accept(changeShape, sent)),
  );
  return { status: 200, json: JSON.stringify(changed && seen(changed, context)) };
}

async function remove(context: Context): Promise<Answer> {
  await onOwnView(context, deleteView);
  return { status: 204, json: null };
}

/** Locks the view in the path and runs the work; refuses callers other than the view's author and operators. */
function onOwnView<T>(
  context: Context,
  work: (tx: Queryable, id: string) => Promise<T>,
): Promise<T> {
  const { params, services } = context;
  const { id = "" } = params;
  if (!isUuid(id)) return refuse("NOT_FOUND");
  return services.db.transaction(async (tx) => {
    const author = await lockAuthor(tx, id);
    if (author === undefined) refuse("NOT_FOUND");
    const caller = callerOf(context);
    if (author !== caller.accountId && !isOperator(services.config, caller)) refuse("FORBIDDEN");
    return work(tx, id);
  });
}

/** The view as the caller may see it: the names of other accounts are only for callers who may read profiles. */
function seen(view: ShownView, context: Context): ShownView {
  const caller = callerOf(context);
  const isNamed =
    view.by?.id === caller.accountId || isAllowed(caller, context.services.config.auth.profiles);
  return isNamed ? view : { ...view, by: null };
}

function callerOf({ caller }: Context): Caller {
  return caller ?? refuseUnauthenticated();
}
