import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { InputError } from "../../shared/core/errors.ts";
import { suggestionFor } from "./nearest-name.ts";

/**
 * Parses the options and arguments of a command. `tokens` contains them in their order on the command line.
 * @throws InputError when an option is unknown or lacks its value
 */
export function parseArguments<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs<{ args: string[]; allowPositionals: true; tokens: true; options: Options }>({
      args,
      allowPositionals: true,
      tokens: true,
      options,
    } satisfies ParseArgsConfig);
  } catch (error) {
    throw argumentError(error, args, Object.keys(options));
  }
}

/**
 * Describes the error in a command line. For an unknown option, it adds the most similar option and the
 * advice.
 */
export function argumentError(
  error: unknown,
  args: readonly string[],
  known: readonly string[],
  advice = "",
): InputError {
  const problem = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '-*([^']*)'/.exec(problem) ?? [];
  if (unknown === undefined) return new InputError("command line", args.join(" "), problem);
  const dashes = unknown.length === 1 ? "-" : "--";
  const options = [...known, "help"].map((name) => `--${name}`);
  const suggestion = suggestionFor(`--${unknown}`, options);
  return new InputError(
    "command line",
    args.join(" "),
    `unknown option ${dashes}${unknown}${suggestion}${advice && `; ${advice}`}`,
  );
}
