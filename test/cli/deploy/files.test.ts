import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../../runtime/config/index.js";
import { makeAppFolder, removeAppFolder } from "../../support/apps/app-folder.js";
import { deployText, deployTexts } from "../../support/deploy/written.js";
import { service } from "../service.js";

let folder: string;
beforeEach(() => {
  folder = makeAppFolder();
});
afterEach(() => removeAppFolder(folder));

const everywhere = [
  "deploy/Caddyfile",
  "deploy/alerts.yaml",
  "deploy/grafana.json",
  "deploy/nginx.conf",
];
const image = [".dockerignore", "Dockerfile"];
const cluster = ["deployment", "disruption-budget", "migrate", "service"].map(
  (name) => `deploy/kubernetes/${name}.yaml`,
);
const filesOf = {
  docker: [...everywhere, ...image, "compose.yaml"],
  systemd: [...everywhere, "deploy/service.env.example", "deploy/service.service"],
  kubernetes: [...everywhere, ...image, ...cluster],
};

describe("service init --deploy", () => {
  test.each(Object.entries(filesOf))(
    "%s writes its files beside the starter",
    async (place, files) => {
      const { exitCode, stdout } = await service(folder, ["init", "app", "--deploy", place]);
      expect(exitCode).toBe(0);
      const written = [...stdout.matchAll(/^wrote {2}(.+)$/gm)].map(([, path]) => path);
      expect(written).toContain("service.yaml");
      const starter = (await service(folder, ["init", "plain"])).stdout;
      expect(written.filter((path) => !starter.includes(`wrote  ${path}\n`)).sort()).toEqual(
        files.toSorted(),
      );
      for (const path of files) expect(existsSync(join(folder, "app", path)), path).toBe(true);
    },
  );

  test("can be repeated, and adds only missing files to an existing app", async () => {
    await service(folder, ["init", "app"]);
    const own = ["Dockerfile", "deploy/nginx.conf"];
    for (const path of own) {
      mkdirSync(dirname(join(folder, "app", path)), { recursive: true });
      writeFileSync(join(folder, "app", path), "my own\n");
    }
    const args = ["init", "app", "--deploy", "docker", "--deploy", "systemd", "--deploy", "docker"];
    const { exitCode, stdout, stderr } = await service(folder, args);
    expect([exitCode, stderr.includes("does not read")]).toEqual([0, false]);
    const wanted = new Set([...filesOf.docker, ...filesOf.systemd]);
    for (const path of wanted) {
      expect(stdout).toContain(own.includes(path) ? `kept   ${path}\n` : `wrote  ${path}\n`);
    }
    expect(stdout.match(/^wrote /gm)).toHaveLength(wanted.size - own.length);
    for (const path of own) {
      expect(readFileSync(join(folder, "app", path), "utf8")).toBe("my own\n");
    }
    expect((await service(folder, args)).stdout).not.toContain("wrote");
  });

  test.each([["heroku"], [""], ["docker,systemd"]])(
    "refuses %j, and writes nothing",
    async (word) => {
      const { exitCode, stderr } = await service(folder, ["init", "app", "--deploy", word]);
      expect([exitCode, existsSync(join(folder, "app"))]).toEqual([2, false]);
      expect(stderr).toContain("The allowed values are docker, systemd, kubernetes.");
    },
  );

  test("agrees with the settings of an existing app, and lists variables that they do not read", async () => {
    await service(folder, ["init", "app"]);
    writeFileSync(
      join(folder, "app/service.yaml"),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of service.yaml.
      "server: { host: 0.0.0.0, trust_proxy: '${TRUST_PROXY:-1}', drain_seconds: 60 }\nuploads: { max_bytes: 52428800, resumable: { max_bytes: 2147483648 } }\n",
    );
    const { stderr } = await service(folder, ["init", "app", "--deploy", "kubernetes"]);
    expect(stderr).toContain("service.yaml does not refer to HOST, DRAIN_DELAY_SECONDS, which");
    const text = (path: string) => readFileSync(join(folder, "app", path), "utf8");
    expect(text("deploy/nginx.conf")).toContain("client_max_body_size 52428800;");
    expect(text("deploy/Caddyfile")).toContain("max_size 52428800\n");
    expect(text("deploy/nginx.conf")).toContain("client_max_body_size 2147483648;");
    expect(text("deploy/nginx.conf")).toContain("proxy_request_buffering off;");
    expect(text("deploy/Caddyfile")).toContain("max_size 2147483648\n");
    expect(text("deploy/kubernetes/deployment.yaml")).toContain(
      "terminationGracePeriodSeconds: 85\n",
    );
  });

  test.each([
    ["root", "app-root"],
    ["2024 Shop", "app-2024-shop"],
    [`${"a".repeat(30)} long`, "a".repeat(30)],
  ])(
    "the folder %s makes neither a root account nor a name that the systems refuse",
    (name, expected) => {
      const texts = deployTexts(join(folder, name));
      expect(texts["deploy/service.service"]).toContain(`\nUser=${expected}\n`);
      expect(parse(texts["compose.yaml"] ?? "").name).toBe(expected);
    },
  );
});

describe("the files", () => {
  const texts = deployTexts("/nowhere/my-shop");

  test("set only variables that the starter's service.yaml or the server reads", async () => {
    await service(folder, ["init", "app"]);
    const settings = readFileSync(join(folder, "app/service.yaml"), "utf8");
    const known = new Set(["NODE_ENV", "DATABASE_URL", "PORT"]);
    for (const [, name = ""] of settings.matchAll(/\$\{(\w+)/g)) known.add(name);
    const set = [...environmentOfCompose("server"), ...environmentOfPods()].map(([name]) => name);
    const given = (texts["deploy/service.env.example"] ?? "").matchAll(/^(?!SERVICE_)(\w+)=/gm);
    for (const name of [...set, ...[...given].map(([, name = ""]) => name)]) {
      expect(known).toContain(name);
    }
    const environment = {
      ...Object.fromEntries(environmentOfPods()),
      ...{ DATABASE_URL: "postgres://me@127.0.0.1/shop", WORKERS: "2" },
      ...{ SERVICE_SECRET: "s".repeat(32), SERVICE_WEB_URL: "https://shop.example" },
    };
    const { server } = readConfig({ root: join(folder, "app"), environment });
    expect(server).toMatchObject({
      ...{ host: "0.0.0.0", port: 3000, trustProxy: 1, workers: 2 },
      ...{ drainDelaySeconds: 5, drainSeconds: 25, metrics: null },
    });
    const bare = readConfig({
      root: join(folder, "app"),
      environment: { NODE_ENV: "test" },
      databaseUrl: environment.DATABASE_URL,
    });
    expect(bare.server).toMatchObject({
      ...{ host: "127.0.0.1", port: 3000, trustProxy: 0, workers: 1, drainDelaySeconds: 0 },
    });
    const path = join(folder, "app/service.yaml");
    writeFileSync(path, settings.replace("# metrics:", "metrics:"));
    const measured = readConfig({ root: join(folder, "app"), environment });
    expect(measured.server.metrics).toEqual({ host: "0.0.0.0", port: 9090 });
    rmSync(path);
  });

  test("hold no secret", () => {
    for (const [path, text] of Object.entries(texts)) {
      expect(text, path).not.toMatch(/(SECRET|PASSWORD|_KEY|TOKEN)[:=] *["']?[\w+/]/);
    }
    const ignored = (texts[".dockerignore"] ?? "").split("\n");
    expect(ignored).toEqual(
      expect.arrayContaining([".env", ".env.*", ".git", ".service", "storage"]),
    );
  });

  function compose(): Compose {
    return parse(texts["compose.yaml"] ?? "");
  }

  function environmentOfCompose(name: string): [string, string][] {
    return Object.entries(compose().services[name]?.environment ?? {});
  }

  function environmentOfPods(): [string, string][] {
    const [container] = pods("deployment").containers;
    return (container?.env ?? []).map(({ name, value }) => [name, value]);
  }

  function pods(name: string): Pod {
    return parse(texts[`deploy/kubernetes/${name}.yaml`] ?? "").spec.template.spec;
  }

  test("compose.yaml: migrations once, before the server; a long enough stop timeout", () => {
    const { services } = compose();
    expect(services.migrate).toMatchObject({
      command: ["node_modules/.bin/service", "migrate"],
      restart: "no",
      depends_on: { database: { condition: "service_healthy" } },
    });
    expect(services.server).toMatchObject({
      depends_on: { migrate: { condition: "service_completed_successfully" } },
      ports: ["127.0.0.1:3000:3000"],
      stop_grace_period: "48s",
      environment: { HOST: "0.0.0.0", TRUST_PROXY: "1", DRAIN_DELAY_SECONDS: "3" },
    });
    expect(services.database).toMatchObject({ user: "postgres" });
    for (const one of [services.server, services.migrate]) {
      expect(one).toMatchObject({ build: ".", image: "my-shop", env_file: ".env" });
      expect(one).not.toHaveProperty("user");
      expect(one).not.toHaveProperty("healthcheck");
    }
  });

  test("Dockerfile: two stages, an ordinary account, a health check on `live`, node as the main process", () => {
    const file = DockerfileParser.parse(texts.Dockerfile ?? "");
    const stages = file.getFROMs();
    expect(stages.map((stage) => [stage.getImage(), stage.getBuildStage()])).toEqual([
      ["node:24-slim", "build"],
      ["node:24-slim", null],
    ]);
    const last = file.getInstructions().slice(-4);
    expect(last.map((one) => one.getKeyword())).toEqual(["USER", "EXPOSE", "HEALTHCHECK", "CMD"]);
    const [user, , health, command] = last.map((one) => one.getArgumentsContent());
    expect([user, command]).toEqual(["node", '["node", "dist/server.js"]']);
    expect(health).toContain("/api/_service/live");
    expect(file.getInstructions().map((one) => one.getKeyword())).not.toContain("ENTRYPOINT");
  });

  test("the image installs a server's packages, after a build with the development packages", () => {
    const run = DockerfileParser.parse(texts.Dockerfile ?? "")
      .getInstructions()
      .filter((one) => one.getKeyword() === "RUN")
      .map((one) => one.getArgumentsContent());
    expect(run.slice(0, 3)).toEqual(["npm ci", "npm run build", "npm ci --omit=dev"]);
  });

  test("deploy/kubernetes: two servers with graceful stop, probes on `live` and `ready`, not root", () => {
    for (const path of cluster) {
      expect(parseAllDocuments(texts[path] ?? "").flatMap(({ errors }) => errors)).toEqual([]);
    }
    const kinds = cluster
      .map((path) => parse(texts[path] ?? ""))
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(kinds.sort()).toEqual([
      "apps/v1 Deployment",
      "batch/v1 Job",
      "policy/v1 PodDisruptionBudget",
      "v1 Service",
    ]);
    const deployment = parse(deployText("deploy/kubernetes/deployment.yaml"));
    expect(deployment.spec).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    const { terminationGracePeriodSeconds, containers } = pods("deployment");
    expect(terminationGracePeriodSeconds).toBe(50);
    const [server] = containers;
    expect(environmentOfPods()).toContainEqual(["DRAIN_DELAY_SECONDS", "5"]);
    const live = { path: "/api/_service/live", port: "http" };
    expect(server).toMatchObject({
      startupProbe: { httpGet: live },
      livenessProbe: { httpGet: live },
      // It answers within 2.5 s.
      readinessProbe: { httpGet: { path: "/api/_service/ready", port: "http" }, timeoutSeconds: 3 },
    });
    const job = pods("migrate");
    expect(job.containers[0]).toMatchObject({ command: ["node_modules/.bin/service", "migrate"] });
    expect(job.containers[0]?.image).toBe(server?.image);
    for (const { securityContext, containers } of [pods("deployment"), job]) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const container of containers) {
        expect(container.securityContext).toMatchObject({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        });
      }
    }
    const labels = deployment.spec.template.metadata.labels;
    const selectors = ["service", "disruption-budget"].map((name) => {
      const { selector } = parse(deployText(`deploy/kubernetes/${name}.yaml`)).spec;
      return selector.matchLabels ?? selector;
    });
    expect([deployment.spec.selector.matchLabels, ...selectors]).toEqual([labels, labels, labels]);
    expect(
      parse(deployText("deploy/kubernetes/migrate.yaml")).spec.template.metadata.labels,
    ).not.toEqual(labels);
  });

  test("deploy/service.service: migrations before the server, a long enough stop timeout, not root", () => {
    const unit = texts["deploy/service.service"] ?? "";
    const values = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);
    expect(values("User")).toEqual(["my-shop"]);
    expect(values("ExecStartPre")).toEqual(["/usr/bin/node node_modules/.bin/service migrate"]);
    expect(values("ExecStart")).toEqual(["/usr/bin/node dist/server.js"]);
    expect(values("TimeoutStopSec")).toEqual(["48"]);
    expect([...values("Restart"), ...values("KillMode")]).toEqual(["always", "mixed"]);
  });
});

interface Compose {
  readonly name: string;
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>> }>
  >;
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly securityContext: object;
  }[];
}
