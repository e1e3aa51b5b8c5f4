import { openDatabase } from "../../../runtime/db/index.js";
import { addAccount } from "../accounts/accounts.js";
import { ask } from "./ask.js";
import { type Ledger, type Load, newLedger } from "./ledger.js";
import { changePasswords, signInAndOut } from "./people.js";
import { changeStock, createBatches, createProducts, readPages, uploadFiles } from "./records.js";

/** Clients of every kind that continue until they are stopped. */
export interface RunningLoad extends Load {
  /** Stops all of them, and waits for their last answers. */
  end(): Promise<void>;
}

const password = "a password of the tests";

/** Makes the accounts of a load, past the API: those who sign in and out, and those who change their passwords. */
export async function addPeople(url: string, ledger: Ledger): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, prepare: true });
  try {
    const person = { password, role: null, name: "Somebody" };
    for (const email of [...visitors, ...changers]) {
      await addAccount(db, { ...person, email });
      ledger.passwords.set(email, password);
    }
    await addAccount(db, { ...person, email: admin, role: "admin" });
  } finally {
    await db.close();
  }
}

const admin = "clerk@example.com";
const emails = (what: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${what}-${at}@example.com`);
const visitors = emails("visitor", 60);
const changers = emails("changer", 60);

/** The accounts come from `addPeople`. */
export async function startLoad(
  url: string,
  servers: readonly string[],
  ledger = newLedger(),
): Promise<RunningLoad> {
  const signIn = { email: admin, password };
  const { body: made } = await ask(url, { method: "POST", path: "/auth/token", body: signIn });
  const token = String(made.token);
  const category = { name: `Category of ${Date.now()}` };
  const { body } = await ask(url, { method: "POST", path: "/categories", token, body: category });
  let isOver = false;
  const load: Load = { url, servers, token, categoryId: body.id, ledger, isOver: () => isOver };
  const clients = [
    createProducts(load, 20),
    createProducts(load, 50),
    createBatches(load, 100),
    changeStock(load, 20),
    changeStock(load, 50),
    readPages(load, 20),
    readPages(load, 50),
    uploadFiles(load, 500),
    signInAndOut(load, visitors, 500),
    changePasswords(load, changers, 1_500),
  ];
  const all = Promise.all(clients);
  // Whoever waits for the end hears of it.
  all.catch(() => {});
  return {
    ...load,
    end: async () => {
      isOver = true;
      await all;
    },
  };
}
