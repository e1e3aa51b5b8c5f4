export type { AppLook, Config, ImageProfile, ImageSize } from "./config.js";
export { type DashboardSettings, readDashboardPort, readDashboardSettings } from "./dashboard.js";
export { readDatabaseUrl } from "./database-url.js";
export { type Environment, readEnvironment } from "./environment.js";
export { readAppName, readClientFolder, readProfileNames } from "./lenient.js";
export { ConfigError } from "./problem.js";
export { noDatabase } from "./production.js";
export { readConfig } from "./read.js";
export type { ConfigSource } from "./sources.js";
