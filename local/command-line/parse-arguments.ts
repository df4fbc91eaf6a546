import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { InputError } from "../../shared/core/errors.ts";

/**
 * Parses the options and arguments of a command.
 * @throws InputError when an option is unknown or lacks its value
 */
export function parseArguments<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs<{ args: string[]; allowPositionals: true; options: Options }>({
      args,
      allowPositionals: true,
      options,
    } satisfies ParseArgsConfig);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new InputError("command line", args.join(" "), problem);
  }
}
