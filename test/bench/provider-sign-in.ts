import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { migrate } from "../../runtime/migrate/index.js";
import { sha256, startProvider, type TestProvider } from "../support/accounts/provider.js";
import { localTools } from "../support/processes/tools.js";
import type { Check } from "./check.js";
import { onClose } from "./closing.js";
import { middle, timed } from "./figure.js";
import { type Cost, meterOf } from "./processor.js";
import { createDatabase, tidy } from "./seed.js";
import { type Server, startEmitted } from "./servers.js";
import { millisecondsText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const webUrl = "https://shop.example.com";
/** Sign-ins that are measured together. */
const perBlock = 20;

/** What a sign-in with a provider takes of the server's processor; the provider is in this process, not in the server's. */
export const providerSignIn: Check = {
  name: "sign-in with a provider, processor time",
  async run({ plan, adminUrl }) {
    const provider = await startProvider();
    onClose(() => provider.close());
    const app = await buildApp(provider.url);
    const url = await createDatabase(adminUrl, "bench_providers");
    await migrate({ url, directory: join(app, "migrations") });
    await tidy(url);
    const server = await startEmitted(app, url);
    const costs: Cost[] = [];
    for (let at = 0; at < 300; at += 1) await signIn(server, provider, at);
    const meter = meterOf(server);
    for (let block = 0; block < plan.seconds * 5; block += 1) {
      const { server: ours, database } = await meter(async () => {
        for (let at = 0; at < perBlock; at += 1) await signIn(server, provider, at);
      });
      costs.push({ server: ours / perBlock, database: database / perBlock });
    }
    const ours = middle(costs.map((cost) => cost.server));
    const database = middle(costs.map((cost) => cost.database));
    return [
      {
        name: providerSignIn.name,
        measured: `${millisecondsText(ours)} ms, and ${millisecondsText(database)} of the database`,
        target: "≤ 5 ms",
        met: ours <= 5,
      },
    ];
  },
};

/** The whole way; each of a hundred people comes again and again. */
async function signIn(server: Server, provider: TestProvider, at: number): Promise<void> {
  const secret = randomBytes(32).toString("base64url");
  const began = await post(server, "/auth/provider", {
    provider: "acme",
    challenge: sha256(secret),
    returnTo: `${webUrl}/sign-in/provider`,
  });
  const person = `person-${at % 100}`;
  const query = provider.approve(String(began.url), {
    sub: person,
    email: `${person}@example.com`,
    email_verified: true,
    name: "Bench",
  });
  const back = await fetch(`${server.url}/api/auth/provider/callback?${query}`, {
    redirect: "manual",
  });
  const ticket = new URL(back.headers.get("location") ?? "").searchParams.get("ticket");
  await post(server, "/auth/provider/verify", { ticket, secret });
}

async function post({ url }: Server, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api${path}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok)
    throw new Error(`${path} is answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

async function buildApp(providerUrl: string): Promise<string> {
  const text = "fields: { name: { type: string } }\n";
  const root = await writeApp([{ path: "resources/notes.yaml", text }]);
  writeFileSync(
    join(root, "service.yaml"),
    `auth:
  check_breached_passwords: false
  providers:
    acme: { issuer: "${providerUrl}", client_id: shop, client_secret: s, register: true }
`,
  );
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}
