import { InputError } from "../../../shared/core/errors.ts";
import { nearestName } from "../../arguments/nearest-name.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import type { Command } from "./command.ts";

/** A command with its options, for the completion by a shell. */
export interface CompletedCommand {
  name: string;
  summary: string;
  /** The options with their dashes, such as `--json`. */
  options: string[];
}

const shells: Record<string, (commands: readonly CompletedCommand[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const usage = `npx ingather completion bash|zsh|fish

Writes a script that completes commands, options and file names. To use it:

  bash   npx ingather completion bash >> ~/.bashrc
  zsh    npx ingather completion zsh > ~/.zsh/_ingather      (a folder of $fpath)
  fish   npx ingather completion fish > ~/.config/fish/completions/ingather.fish

The scripts complete the command ingather. With npx alone, define it: alias ingather="npx ingather"
`;

/** Creates the command. @param commands by name; their options are read from their help texts */
export function completionCommand(
  commands: Readonly<Record<string, { summary: string; load(): Promise<Command> }>>,
): Command {
  return {
    usage,
    async run(args, io) {
      const [shell = "", ...more] = parseArguments(args, {}).positionals;
      const script = Object.hasOwn(shells, shell) && more.length === 0 ? shells[shell] : undefined;
      if (script === undefined) {
        const nearest = nearestName(shell, Object.keys(shells));
        throw new InputError(
          "SHELL",
          args.join(" "),
          `must be bash, zsh or fish${nearest ? `; did you mean ${nearest}?` : ""}`,
        );
      }
      const completed = Object.entries(commands).map(async ([name, { summary, load }]) => {
        return { name, summary, options: optionsIn((await load()).usage) };
      });
      io.stdout.write(script(await Promise.all(completed)));
      return 0;
    },
  };
}

/** Returns the options that a help text lists. */
export function optionsIn(help: string): string[] {
  const listed = [...help.matchAll(/^ {2}(--[a-z][a-z-]*)/gm)].map(([, option = ""]) => option);
  return [...new Set([...listed, "--help"])];
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(" ")}" ;;`);
  return `# bash completion of ingather
_ingather() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), "--help", "--version"].join(" ")}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _ingather ingather
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => `    ${singleQuoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, options }) => `    ${name}) compadd -- ${options.join(" ")} ;;`);
  return `#compdef ingather
_ingather() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ "$PREFIX" != -* ]]; then
    _files
    return
  fi
  case "$words[2]" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_ingather" ]; then
  _ingather "$@"
else
  compdef _ingather ingather
fi
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c ingather -n __fish_use_subcommand -f -a ${name} -d ${singleQuoted(summary)}`,
    ...options.map(
      (option) => `complete -c ingather -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}`,
    ),
  ]);
  return `# fish completion of ingather\n${lines.join("\n")}\n`;
}

/** Quotes a text for all three shells. Single quotes in the text are removed. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "")}'`;
}
