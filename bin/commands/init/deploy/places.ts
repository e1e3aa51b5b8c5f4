/** A kind of deployment. */
export type Place = "docker" | "systemd" | "kubernetes";

interface DeployFile {
  /** Relative to the app's folder. */
  readonly path: string;
  /** Path below `templates/deploy`, without its extension; null for a file that is not text. */
  readonly template: string | null;
  /** The deployments that need the file; null for all. */
  readonly for: readonly Place[] | null;
}

const images: readonly Place[] = ["docker", "kubernetes"];

/** npm omits files called `.dockerignore` from packages, so template names have no leading dot. */
export const files: readonly DeployFile[] = [
  { path: "deploy/nginx.conf", template: "nginx.conf", for: null },
  { path: "deploy/Caddyfile", template: "Caddyfile", for: null },
  { path: "deploy/grafana.json", template: null, for: null },
  { path: "deploy/alerts.yaml", template: "alerts.yaml", for: null },
  { path: "Dockerfile", template: "docker/Dockerfile", for: images },
  { path: ".dockerignore", template: "docker/dockerignore", for: images },
  { path: "compose.yaml", template: "docker/compose.yaml", for: ["docker"] },
  ...["service.service", "service.env.example"].map(
    (name): DeployFile => ({
      path: `deploy/${name}`,
      template: `systemd/${name}`,
      for: ["systemd"],
    }),
  ),
  ...["deployment", "service", "migrate", "disruption-budget"].map(
    (name): DeployFile => ({
      path: `deploy/kubernetes/${name}.yaml`,
      template: `kubernetes/${name}.yaml`,
      for: ["kubernetes"],
    }),
  ),
];

/** The environment variables that the files set, by kind of deployment. */
export const variables: Readonly<Record<Place, readonly string[]>> = {
  docker: ["HOST", "TRUST_PROXY", "DRAIN_DELAY_SECONDS"],
  systemd: ["HOST", "TRUST_PROXY", "WORKERS", "DRAIN_DELAY_SECONDS"],
  kubernetes: ["HOST", "TRUST_PROXY", "DRAIN_DELAY_SECONDS"],
};
