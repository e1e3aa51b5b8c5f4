/** The screens that are found without an id, by whether somebody is signed in. */
export const paths = {
  out: [
    "/sign-in",
    "/sign-in/link?token=abc",
    "/sign-in/second-step",
    "/register",
    "/verify-email",
    "/change-email?token=abc",
    "/forgot-password",
    "/reset-password?token=abc",
  ],
  in: [
    "/",
    "/data/products",
    "/data/products/new",
    "/data/customers/new",
    "/data/orders/new",
    "/account/profile",
    "/account/password",
    "/account/second-step",
    "/account/passkeys",
    "/account/devices",
    "/accounts",
    "/accounts/events",
    "/accounts/rights",
    "/accounts/tokens",
    "/account/tokens",
    "/activity",
    "/status",
    "/nowhere",
  ],
  /** For somebody who is signed in; of the long runs alone. `:id` is some product's. */
  further: [
    "/data/products/:id",
    "/data/products/charts",
    "/data/products/api",
    "/data/products/import",
  ],
} as const;

/** All of them. */
export const everyPath = [
  ...paths.out.map((path) => ({ path, isIn: false })),
  ...[...paths.in, ...paths.further].map((path) => ({ path, isIn: true })),
];
