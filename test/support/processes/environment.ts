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

/** A compiler that a test starts ends before it is worth its while to collect garbage: a quarter of its time. */
export function spareCompilers(environment: NodeJS.ProcessEnv): void {
  Object.assign(environment, { GOGC: "off", GOMEMLIMIT: "1GiB" });
}

/** Does the work with these environment variables set, and then restores them. */
export async function withVariables<Done>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<Done>,
): Promise<Done> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const foreign =
  /^(?:SERVICE_.*|PG[A-Z]+|AWS_.*|DATABASE_URL|PORT|HOST|NODE_ENV|NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS)$/;
