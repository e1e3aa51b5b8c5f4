import { Argument, type Command } from "commander";
import { type CommandFrame, exit } from "../../../runtime/command/exit.js";

export function declareCompletion(program: Command, { finish }: CommandFrame): void {
  program
    .command("completion")
    .description("print a shell script that completes commands, options and names of resources")
    .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
    .action(async (shell: keyof typeof scripts) => {
      const [{ passOn }, { completionsOf }, script] = await Promise.all([
        import("../../../runtime/command/report.js"),
        import("./completions.js"),
        scripts[shell](),
      ]);
      passOn(script(completionsOf(program)));
      finish(exit.done);
    });
}

const scripts = {
  bash: async () => (await import("./bash.js")).bashScript,
  zsh: async () => (await import("./zsh.js")).zshScript,
  fish: async () => (await import("./fish.js")).fishScript,
};
