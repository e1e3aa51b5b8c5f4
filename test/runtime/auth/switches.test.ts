import { expect, test } from "vitest";
import { client } from "../../support/http/client.js";
import { rightPassword, startAuth } from "./support/server.js";

test("every disabled feature leaves no route, with and without a token", async () => {
  const off = await startAuth(
    "auth: { magic_link: false, email_code: false, registration: false }\n",
  );
  try {
    const email = await off.account("ada");
    const password = rightPassword;
    const reply = await client(off.url, null).post<{ token: string }>("/auth/token", {
      email,
      password,
    });
    expect(reply.status).toBe(201);
    for (const token of [null, reply.body.token]) {
      for (const path of [
        "magic-link",
        "magic-link/verify",
        "email-code",
        "email-code/verify",
        "register",
      ]) {
        for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const refused = await client(off.url, token).send(method, `/auth/${path}`, {
            text: "{}",
          });
          expect(refused.status, `${method} ${path}`).toBe(404);
        }
      }
    }
  } finally {
    await off.close();
  }
});
