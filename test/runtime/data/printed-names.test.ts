import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { namesToPrint } from "../../../runtime/data/import/unnamed.js";

const secret = "Q7zRk3".repeat(9);

/** What the columns of a file are called of which `email` and `name` are known. */
function printed(...names: readonly string[]): readonly string[] {
  const { nameOf } = namesToPrint(names, (name) => ["email", "name"].includes(name));
  return names.map((_, place) => nameOf(place));
}

describe("a column that looks like a hash is printed by its number", () => {
  test.each([
    ["bcrypt", `$2b$10$${secret.slice(0, 53)}`],
    ["Argon2", `$argon2id$v=19$m=19456,t=2,p=1$${secret.slice(0, 22)}$${secret.slice(0, 43)}`],
    ["Django", `pbkdf2_sha256$260000$salt$${secret.slice(0, 43)}=`],
    ["phpass", `$P$B${secret.slice(0, 30)}`],
    ["LDAP", `{SSHA}${secret.slice(0, 32)}`],
    ["MD5", createHash("md5").update("one").digest("hex")],
    ["MySQL", `*${createHash("sha1").update("one").digest("hex").toUpperCase()}`],
    ["better-auth", `${"ab12".repeat(8)}:${"cd34".repeat(32)}`],
    ["Base64", secret.slice(0, 44)],
    ["Base64 with padding", "zvbRkPlOiUmNhAqWcXeTgB=="],
    ["more than a name", "word ".repeat(30)],
  ])("%s", (_, hash) => {
    expect(printed("email", hash, "colour")).toEqual(["email", "column 2", "colour"]);
  });
});

test("columns are printed by their names", () => {
  const names = ["e-mail", "encrypted_password", "shippingAddressLine2", "Grösse (cm)", "a$b", ""];
  expect(printed(...names)).toEqual(names);
});

test.each([
  ["ann@example.com", "Ann", "an old kind of hash"],
  ["1", "Ann", `$2b$10$${secret.slice(0, 53)}`],
])("if no column is known and one is a value, none is printed by its name", (...row) => {
  expect(printed(...row)).toEqual(["column 1", "column 2", "column 3"]);
  expect(printed(...row, "name")).toContain("Ann");
});
