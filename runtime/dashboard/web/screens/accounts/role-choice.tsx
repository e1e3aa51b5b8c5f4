import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import type { Account, Page } from "../../api/client/types.js";
import { Choice } from "../../parts/form/choice.js";
import { Field } from "../../parts/form/field.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import { ruledRoles } from "./roles.js";

const text = enAccounts;
/** The option for any other role; no role's name is a single space. */
const another = " ";

export interface RoleChoiceProps {
  /** Empty for no role. */
  readonly value: string;
  readonly onChange: (role: string) => void;
  readonly error: string | undefined;
}

/**
 * A choice of the roles that rules or accounts mention. Others have to be typed deliberately, because a misspelled role
 * may allow nothing.
 */
export function RoleChoice({ value, onChange, error }: RoleChoiceProps) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const [isNew, setNew] = useState(false);
  const lists = client.getQueriesData<Page<Account>>({ queryKey: [user.id, "accounts", "list"] });
  const ofAccounts = lists.flatMap(([, page]) => page?.data.map(({ role }) => role ?? "") ?? []);
  const ruled = ruledRoles(resources);
  const known = [...new Set([...ruled, ...ofAccounts, ...(isNew ? [] : [value])])];
  const isUnruled = value.trim() !== "" && !ruled.includes(value.trim());
  return (
    <>
      <Choice
        label={text.role}
        value={isNew ? another : value}
        isOptional
        error={isNew ? undefined : error}
        help={isUnruled && !isNew ? text.unruled : undefined}
        options={[
          { value: "", label: text.noRole },
          ...known
            .filter((role) => role !== "")
            .sort()
            .map((role) => ({ value: role, label: role })),
          { value: another, label: text.newRole },
        ]}
        onChange={(next) => {
          setNew(next === another);
          onChange(next.trim());
        }}
      />
      {isNew ? (
        <Field
          label={text.newRoleName}
          name="role"
          value={value}
          onChange={onChange}
          error={error}
          help={isUnruled ? text.unruled : undefined}
          autoComplete="off"
          autoFocus
        />
      ) : null}
    </>
  );
}
