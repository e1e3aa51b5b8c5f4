import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { freePort } from "../../../bin/embedded/port.js";
import { block } from "../../docs/pages.js";
import { type AlertCase, alertCases } from "../../support/deploy/alerts.js";
import { nginxAround } from "../../support/deploy/nginx.js";
import { filesFor, hasTool, runTool } from "../../support/deploy/tools.js";
import { deployText } from "../../support/deploy/written.js";

test.skipIf(!hasTool("nginx", "-v"))("nginx accepts deploy/nginx.conf as a site", async () => {
  const site = deployText("deploy/nginx.conf");
  expect(site).toContain("server 127.0.0.1:3000 ");
  expect(site).toContain("client_max_body_size 10485760;");
  const port = await freePort("127.0.0.1");
  const ours = site.replace("listen 80;", `listen 127.0.0.1:${port};`);
  const folder = filesFor({ "site.conf": ours });
  const around = nginxAround(folder, join(folder, "site.conf"));
  const all = join(filesFor({ "nginx.conf": around }), "nginx.conf");
  const { status, output } = runTool("nginx", ["-t", "-c", all, "-p", folder]);
  expect(output).not.toMatch(/\[(warn|emerg|error)\]/);
  expect(status).toBe(0);
});

test.skipIf(!hasTool("caddy", "version"))("Caddy accepts deploy/Caddyfile", () => {
  const folder = filesFor({ Caddyfile: deployText("deploy/Caddyfile") });
  const file = join(folder, "Caddyfile");
  const { status, output } = runTool("caddy", ["adapt", "--config", file, "--validate"]);
  expect(status, output).toBe(0);
  expect(output).toContain('"dial":"127.0.0.1:3000"');
  expect(output).toContain('"max_size":10485760');
});

test.skipIf(!hasTool("systemd-analyze", "--version"))(
  "systemd accepts deploy/service.service",
  () => {
    // It looks for the program of the unit.
    const unit = deployText("deploy/service.service").replaceAll("/usr/bin/node", process.execPath);
    const folder = filesFor({ "my-shop.service": unit });
    const file = join(folder, "my-shop.service");
    const { status, output } = runTool("systemd-analyze", ["verify", "--man=no", file]);
    expect(output.split("\n").filter((line) => line.includes("my-shop"))).toEqual([]);
    expect(status, output).toBe(0);
  },
);

interface Rule {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

function rules(): Rule[] {
  return parse(deployText("deploy/alerts.yaml")).groups.flatMap(
    (group: { readonly rules: Rule[] }) => group.rules,
  );
}

describe.skipIf(!hasTool("promtool", "--version"))("Prometheus", () => {
  test("accepts deploy/alerts.yaml", () => {
    const folder = filesFor({ "alerts.yaml": deployText("deploy/alerts.yaml") });
    const { status, output } = runTool("promtool", ["check", "rules", join(folder, "alerts.yaml")]);
    expect(status, output).toBe(0);
    expect(output).toContain(`SUCCESS: ${rules().length} rules found`);
  });

  test("accepts the configuration of the page on operations", () => {
    const folder = filesFor({
      "prometheus.yml": block("docs/operations", "Dashboards and alerts"),
    });
    const file = join(folder, "prometheus.yml");
    const { status, output } = runTool("promtool", ["check", "config", file]);
    expect(status, output).toBe(0);
  });

  test("each alert fires, and resolves", () => {
    expect(Object.keys(alertCases)).toEqual(rules().map(({ alert }) => alert));
    const series = Object.assign({}, ...Object.values(alertCases).map((one) => one.series));
    const alert_rule_test = rules().flatMap((rule) => {
      const given = alertCases[rule.alert] ?? expect.unreachable();
      const { alert: alertname } = rule;
      return [
        { eval_time: "1m", alertname, exp_alerts: [] },
        { eval_time: given.fires, alertname, exp_alerts: [expected(rule, given)] },
        { eval_time: given.over, alertname, exp_alerts: [] },
      ];
    });
    const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    const tests = [{ interval: "1m", input_series, alert_rule_test }];
    const folder = filesFor({
      "alerts.yaml": deployText("deploy/alerts.yaml"),
      "tests.yaml": stringify({ rule_files: ["alerts.yaml"], evaluation_interval: "1m", tests }),
    });
    const { status, output } = runTool("promtool", ["test", "rules", join(folder, "tests.yaml")]);
    expect(status, output).toBe(0);
  });
});

/** The alert as it is sent, its sentences with their values. */
function expected({ labels: own, annotations }: Rule, { labels, value }: AlertCase) {
  const filled = Object.entries(annotations).map(([name, text]) => [
    name,
    text
      .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_all, label: string) => labels[label] ?? "")
      .replaceAll(/\{\{ \$value( \| \w+)? \}\}/g, value),
  ]);
  return { exp_labels: { ...own, ...labels }, exp_annotations: Object.fromEntries(filled) };
}
