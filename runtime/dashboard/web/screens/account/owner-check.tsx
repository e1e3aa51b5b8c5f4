import type { ReactNode } from "react";
import type { Write } from "../../api/client/writes.js";
import { here, leaveTo, signInPath } from "../../browser/address/address.js";
import { isNotFresh } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { enAccount } from "../../text/en/account.js";

export interface OwnPasswordProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

/** The password that confirms a change of the account; empty for an account without one. */
export function OwnPassword({ value, onChange, error }: OwnPasswordProps) {
  return (
    <Field
      label={enAccount.second.password}
      name="password"
      type="password"
      value={value}
      onChange={onChange}
      autoComplete="current-password"
      error={error}
      help={enAccount.noPasswordHelp}
    />
  );
}

/** The field for each error code about that password. */
export const passwordPlaces = { INVALID_PASSWORD: "password", PASSWORD_NOT_SET: "password" };

/** The part of a request body that contains the password. */
export function passwordIn(password: string): { readonly password?: string } {
  return password === "" ? {} : { password };
}

export interface OwnerButtonProps {
  readonly write: Write<undefined>;
  readonly look: "primary" | "danger";
  readonly children: ReactNode;
}

/** Submits the form, or opens the sign-in page if the last sign-in is too long ago. */
export function OwnerButton({ write, look, children }: OwnerButtonProps) {
  return isNotFresh(write.error) ? (
    <Button look="primary" onPress={() => leaveTo(signInPath(here()))}>
      {enAccount.passkeys.signInAgain}
    </Button>
  ) : (
    <Button look={look} type="submit" isBusy={write.isBusy}>
      {children}
    </Button>
  );
}
