import type { ParseArgsOptionsConfig } from "node:util";
import { parseArguments } from "../../../arguments/parse-arguments.ts";
import { checkChoice, checkNumber } from "./check-option.ts";
import { readLinkConfiguration } from "./link-configuration.ts";
import { checkLinksOptions, type OptionName, type OptionSpec, type OptionValues } from "./option-table.ts";

const specs: [OptionName, OptionSpec][] = Object.entries(checkLinksOptions) as [OptionName, OptionSpec][];

/** The options as `parseArgs` expects them. */
const argumentOptions: ParseArgsOptionsConfig = Object.fromEntries(
  specs.map(([name, { kind }]) => [
    name,
    kind === "flag" ? { type: "boolean" } : { type: "string", multiple: kind === "texts" },
  ]),
);

export interface ParsedOptions {
  values: OptionValues;
  positionals: string[];
  /** The configuration file from which options were read; undefined without a file. */
  configurationFile: string | undefined;
}

/**
 * Parses the command line. Missing options are taken from the configuration file, then from the defaults. The
 * values of repeatable options are added to those of the file.
 * @throws InputError that names the option, or the key of the file
 */
export async function parseOptions(args: string[]): Promise<ParsedOptions> {
  const { values: given, positionals } = parseArguments(args, argumentOptions);
  const { file, values: configured } = await readLinkConfiguration(given.config as string | undefined);
  const values = Object.fromEntries(
    specs.map(([name, spec]) => {
      const typed = given[name] === undefined ? undefined : typedValue(`--${name}`, given[name], spec);
      return [name, optionValue(spec, typed, configured[name])];
    }),
  );
  return { values: values as OptionValues, positionals, configurationFile: file };
}

/** Converts the value of an option on the command line to the option's type. @throws InputError */
function typedValue(field: string, given: unknown, spec: OptionSpec): unknown {
  if (spec.kind === "number") {
    const number = /^\d+$/.test(String(given)) ? Number(given) : Number.NaN;
    return checkNumber(field, given, { number, ...spec });
  }
  if (spec.kind === "choice") return checkChoice(field, String(given), spec);
  return given;
}

function optionValue(spec: OptionSpec, given: unknown, configured: unknown): unknown {
  switch (spec.kind) {
    case "texts":
      return [...((configured as string[]) ?? []), ...((given as string[]) ?? [])];
    case "flag":
      return given ?? configured ?? false;
    case "text":
      return given ?? configured;
    default:
      return given ?? configured ?? spec.default;
  }
}

/** Returns the lines of `--help` about the options. */
export function describeOptions(): string {
  const column = 22;
  return specs
    .flatMap(([name, spec]) => {
      const head = `  --${name}${spec.placeholder === undefined ? "" : ` ${spec.placeholder}`}`;
      const choices = spec.kind === "choice" ? spec.choices.join(", ") : "";
      const help = spec.help.map((line) => line.replace("FORMATS", choices));
      if ("default" in spec) help.push(`${help.pop()} (default ${spec.default})`);
      const lines = help.map((line) => " ".repeat(column) + line);
      if (head.length >= column - 1) return [head, ...lines];
      return [head.padEnd(column) + (lines[0] ?? "").trimStart(), ...lines.slice(1)];
    })
    .join("\n");
}
