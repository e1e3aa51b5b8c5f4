import { cpSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { execa } from "execa";

/** What an image would hold, in a folder of this machine. */
export interface BuiltImage {
  /** Its working folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The command that says whether it is well. */
  readonly health: readonly string[];
}

interface Stage {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  command: readonly string[];
  health: readonly string[];
}

interface BuildOptions {
  readonly dockerfile: string;
  readonly ignored: string;
  /** The folder that is sent to the build. */
  readonly context: string;
  /** An empty folder. */
  readonly into: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The account of this machine in place of the image's. */
  readonly account: string;
}

/** Runs a Dockerfile's steps, each stage in a folder of its own in place of an image's file system. */
export async function buildImage(options: BuildOptions): Promise<BuiltImage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | null = null;
  for (const instruction of DockerfileParser.parse(options.dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === "FROM") {
      const name = instruction.getArguments().at(2)?.getValue() ?? "last";
      stage = newStage(join(options.into, name));
      stages.set(name, stage);
    } else if (stage === null) throw new Error(`${keyword} before FROM`);
    else await step(instruction, stage, stages, options);
  }
  if (stage === null) throw new Error("no stage");
  const { root, workdir, env, command, health } = stage;
  return { root: join(root, workdir), env, command, health };
}

function newStage(root: string): Stage {
  mkdirSync(root, { recursive: true });
  return { root, env: {}, workdir: "/", command: [], health: [] };
}

async function step(
  instruction: Instruction,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  { context, ignored, env, account }: BuildOptions,
): Promise<void> {
  const text = instruction.getArgumentsContent() ?? "";
  const keyword = instruction.getKeyword();
  const cwd = join(stage.root, stage.workdir);
  switch (keyword) {
    case "WORKDIR":
      stage.workdir = text;
      mkdirSync(join(stage.root, text), { recursive: true });
      return;
    case "ENV":
      for (const pair of text.split(" ")) {
        const [name = "", value = ""] = pair.split("=");
        stage.env[name] = value;
      }
      return;
    case "COPY":
      copy(instruction, cwd, { context, ignored, stages });
      return;
    case "RUN": {
      const command = text.replaceAll("node:node", account);
      await execa("sh", ["-ec", command], { cwd, env: { ...env, ...stage.env }, stdin: "ignore" });
      return;
    }
    case "HEALTHCHECK":
      stage.health = JSON.parse(text.slice(text.indexOf("CMD") + 3));
      return;
    case "CMD":
      stage.command = JSON.parse(text);
      return;
    case "USER":
    case "EXPOSE":
      return;
    default:
      throw new Error(`${keyword} is not known here`);
  }
}

interface Sources {
  readonly context: string;
  readonly ignored: string;
  readonly stages: ReadonlyMap<string, Stage>;
}

/** Of a whole folder, as `.` or from another stage. */
function copy(instruction: Instruction, into: string, { context, ignored, stages }: Sources): void {
  const source = instruction.getArguments().at(0)?.getValue() ?? "";
  const from = /--from=(\S+)/.exec(instruction.getTextContent())?.[1];
  if (from !== undefined) {
    cpSync(join(stages.get(from)?.root ?? "", source), into, {
      ...{ recursive: true, verbatimSymlinks: true },
    });
    return;
  }
  const left = ignored.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  cpSync(join(context, source), into, {
    recursive: true,
    filter: (path) => !left.some((pattern) => isIgnored(relative(context, path), pattern)),
  });
}

/** A pattern is a name at the top, or the beginning of one. */
function isIgnored(path: string, pattern: string): boolean {
  const [first = ""] = path.split("/");
  return pattern.endsWith("*") ? first.startsWith(pattern.slice(0, -1)) : first === pattern;
}
