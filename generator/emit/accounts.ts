import type { Model } from "../model/model.js";
import { importLines } from "../text/imports.js";
import { type Layout, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { literal, property } from "../text/typescript.js";
import { deleteAccountMember, deletedAccount, deletedMemberOf, dependantsOf } from "./deletion.js";
import { type EmittedFile, runtimeTypes } from "./file.js";
import { accountMemberships } from "./table/owner.js";

/** Whether records may belong to accounts, so that deleting an account affects them. */
export function holdsAccounts({ accounts: { cascades, refusals } }: Model): boolean {
  return cascades.length + refusals.length > 0;
}

/** Emits `accounts.ts`: the effect of deleting an account on records; nothing if there is none. */
export function emitAccounts(model: Model): readonly EmittedFile[] {
  if (!holdsAccounts(model)) return [];
  const account = deletedAccount(model);
  const dependants = literal(dependantsOf(account));
  return [
    {
      path: "generated/accounts.ts",
      text: render("generated/accounts.ts", {
        imports: importLines([runtimeTypes(["AccountDeletion"])]),
        delete: deleteAccountMember(account),
        deleted: deletedMemberOf(account),
        memberships: memberships(model).map((one) => print(one, { indent: 2, reserved: 1 })),
        dependants: print(property("dependants", dependants), { indent: 2, reserved: 1 }),
      }),
    },
  ];
}

function memberships(model: Model): readonly Layout[] {
  const all = accountMemberships(model);
  return all.length === 0 ? [] : [property("memberships", literal(all))];
}
