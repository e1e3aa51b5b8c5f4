export { type Environment, readEnvironment } from "./environment/environment.js";
export { readAllowances } from "./read/allowances.js";
export {
  type DashboardSettings,
  readDashboardPort,
  readDashboardSettings,
} from "./read/dashboard.js";
export { findDatabaseUrl, readDatabaseUrl } from "./read/database-url.js";
export {
  readAppName,
  readVariableNames,
} from "./read/lenient.js";
export { noDatabase } from "./read/production.js";
export { readConfig } from "./read/read.js";
export type { ConfigSource } from "./read/sources.js";
export type { AppLook, AppSettings, Config, ImageProfile, ImageSize } from "./result/config.js";
export { ConfigError } from "./result/problem.js";
export type { ProviderSettings } from "./result/provider.js";
export { defaultSite } from "./shape/sites.js";
