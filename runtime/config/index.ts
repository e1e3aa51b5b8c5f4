export type { Config, ImageProfile, ImageSize, Mailer, Storage } from "./config.js";
export { type Environment, readEnvironment } from "./environment.js";
export { ConfigError, type ConfigProblem } from "./problem.js";
export { type ConfigSource, readConfig, usesEmbeddedDatabase } from "./read.js";
