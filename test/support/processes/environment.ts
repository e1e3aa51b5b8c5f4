/**
 * Takes away every environment variable that the program, PostgreSQL's client, the S3 client or a
 * colour library reads, so that the tests see the same on every machine. Their processes inherit what
 * is left; language, time zone, home and npm's own settings stay as they are.
 */
export function clearEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (foreign.test(name)) delete environment[name];
  }
}

const foreign =
  /^(?:SERVICE_.*|PG[A-Z]+|AWS_.*|DATABASE_URL|PORT|HOST|NODE_ENV|NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS)$/;
