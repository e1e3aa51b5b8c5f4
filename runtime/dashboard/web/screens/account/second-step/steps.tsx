import { enAccount } from "../../../text/en/account.js";

/** The steps of setting up a second step, with the current one marked. */
export function Steps({ at }: { readonly at: number }) {
  return (
    <ol className="steps">
      {enAccount.second.steps.map((step, index) => (
        <li key={step} aria-current={index === at ? "step" : undefined}>
          {`${index + 1} ${step}`}
        </li>
      ))}
    </ol>
  );
}
