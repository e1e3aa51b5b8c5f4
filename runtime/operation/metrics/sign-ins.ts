import type { Answered } from "../../http/index.js";

/** The routes that complete a sign-in, and the names of their methods. */
const methods: Readonly<Record<string, string>> = {
  "/api/auth/token": "password",
  "/api/auth/passkey": "passkey",
  "/api/auth/magic-link/verify": "magic_link",
  "/api/auth/email-code/verify": "email_code",
  "/api/auth/two-factor/verify": "two_factor",
  "/api/auth/provider/verify": "provider",
  "/api/auth/provider/id-token": "provider",
};

/** Returns the outcome of a sign-in attempt; null for other requests, and if the server failed. */
export function signInOf({
  method,
  route,
  status,
}: Answered): { readonly method: string; readonly result: string } | null {
  const way = method === "POST" && route !== null ? methods[route] : undefined;
  const result = resultOf(status);
  return way === undefined || result === null ? null : { method: way, result };
}

function resultOf(status: number): string | null {
  if (status === 201) return "success";
  if (status === 200) return "challenge";
  if (status === 429) return "limited";
  return status >= 400 && status < 499 ? "failure" : null;
}
