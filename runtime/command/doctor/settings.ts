import {
  type Config,
  ConfigError,
  type ConfigSource,
  type Environment,
  readConfig,
} from "../../config/index.js";
import type { Finding } from "../report.js";
import { ok, problem, problemFindings, warning } from "./finding.js";
import { checkMailer } from "./mailer.js";
import { checkCertificates } from "./operation/certificates.js";
import { checkDisk } from "./operation/disk.js";
import { checkTags } from "./operation/tags.js";
import { checkProviders } from "./providers.js";
import { checkStorage } from "./storage.js";

const oldestNode = [20, 19] as const;

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const found = process.versions.node;
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return isOld
    ? problem("node", found, `install Node ${oldestNode.join(".")} or newer`)
    : ok("node", found);
}

export type ReadSettings = { readonly config: Config } | { readonly problems: readonly Finding[] };

export async function checkSettings(
  read: ReadSettings,
  environment: Environment,
): Promise<readonly Finding[]> {
  if ("problems" in read) return read.problems;
  const { config } = read;
  return [
    ok("configuration", `service.yaml and the environment (${meaningOf(config, environment)})`),
    ...config.warnings
      .filter(({ about }) => about !== "mailer")
      .map(({ message, hint }) => warning("configuration", message, hint)),
    checkSecret(environment),
    await checkMailer(config),
    await checkStorage(config),
    ...(await checkProviders(config)),
    ...(await checkDisk(config)),
    ...(await checkCertificates(config)),
    // The default address in development involves no proxy.
    ...(environment.SERVICE_WEB_URL && config.webUrl !== null
      ? await checkTags(config.webUrl)
      : []),
  ];
}

export function readSettings(given: ConfigSource): ReadSettings {
  try {
    return { config: readConfig(given) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: problemFindings("configuration", error.problems) };
  }
}

function meaningOf({ environment }: Config, { NODE_ENV }: Environment): string {
  if (environment !== "other") return environment;
  const given = NODE_ENV ? `NODE_ENV is ${JSON.stringify(NODE_ENV)}` : "NODE_ENV is not set";
  return `${given}: a secret is generated if none is set, as in development, but codes are not printed`;
}

function checkSecret({ SERVICE_SECRET }: Environment): Finding {
  return ok("secret", SERVICE_SECRET ? "SERVICE_SECRET" : "kept in .service/, for development");
}
