import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, InputError } from "../../../shared/core/errors.ts";
import { nearestName } from "../../arguments/nearest-name.ts";
import { packageFolder } from "../../installation.ts";
import { type Command, CommandFailure, type CommandIo } from "./command.ts";
import { asksForJson, JsonEnding } from "./json-ending.ts";
import { printable, printableLines } from "./printable.ts";

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

const commands: Record<string, Entry> = {
  harvest: {
    summary:
      "harvests a feed, a page or a configured source into MARCXML; lists the records of an OAI-PMH repository",
    load: async () => (await import("./harvest.ts")).harvestCommand,
  },
  oai: {
    summary: "shows the description, sets and metadata formats of an OAI-PMH repository, or checks it",
    load: async () => (await import("./oai.ts")).oaiCommand,
  },
  preview: {
    summary: "shows what a source would deliver, before it goes live",
    load: async () => (await import("./preview.ts")).previewCommand,
  },
  import: {
    summary: "imports the configuration of a zotero_harvester.conf",
    load: async () => (await import("./import.ts")).importCommand,
  },
  export: {
    summary: "writes the configuration as a zotero_harvester.conf",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  "copy-items": {
    summary: "copies the items of a table, such as one restored to a point in time",
    load: async () => (await import("./copy-items.ts")).copyItemsCommand,
  },
  convert: {
    summary: "converts Zotero items to MARC-21",
    load: async () => (await import("./convert.ts")).convertCommand,
  },
  validate: {
    summary: "validates MARC records by an operator's rules: valid, online-first or refused",
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  recipe: {
    summary: "shows what a recipe for the pages of a platform reads from a page",
    load: async () => (await import("./recipe.ts")).recipeCommand,
  },
  "check-links": {
    summary: "reports which links are alive, broken or inconclusive",
    load: async () => (await import("./check-links/check-links.ts")).checkLinksCommand,
  },
  "check-set": {
    summary: "checks whether an OAI-PMH set may be ingested, and counts its objects with an ARK",
    load: async () => (await import("./check-set.ts")).checkSetCommand,
  },
  token: {
    summary: "prints an access token of the API for a machine, and renews it",
    load: async () => (await import("./token.ts")).tokenCommand,
  },
  upload: {
    summary: "uploads records and files to a source, or shows what would become of them",
    load: async () => (await import("./upload.ts")).uploadCommand,
  },
  skip: {
    summary: "ends a source that a run waits for, with a reason",
    load: async () => (await import("./skip.ts")).skipCommand,
  },
  capture: {
    summary: "captures web sites into WARC files",
    load: async () => (await import("./capture.ts")).captureCommand,
  },
  wacz: {
    summary: "packs captures into a WACZ file",
    load: async () => (await import("./wacz.ts")).waczCommand,
  },
  replay: {
    summary: "shows captures in a browser, without the captured sites",
    load: async () => (await import("./replay.ts")).replayCommand,
  },
  index: {
    summary: "builds a deduplication index from crawl logs and CDXs",
    load: async () => (await import("./index-crawls.ts")).indexCommand,
  },
  lookup: {
    summary: "finds the original of a capture in a deduplication index",
    load: async () => (await import("./lookup.ts")).lookupCommand,
  },
};

/** The commands, including those that need the list of the other commands. */
export const allCommands: Record<string, Entry> = {
  ...commands,
  completion: {
    summary: "writes the completion script of a shell: bash, zsh or fish",
    load: async () => (await import("./completion.ts")).completionCommand(commands),
  },
};

const usage = `npx ingather COMMAND [arguments]

${Object.entries(allCommands)
  .map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
  .join("\n")}

  npx ingather COMMAND --help shows how to use a command; npx ingather --version shows the version.
  With --json, a command that was stopped or that failed ends with {"complete": false, "reason": "…"}.
`;

/** Exit code for invalid options or arguments. */
const usageErrorCode = 2;

/** Runs the command that the first argument names. Returns the exit code. */
export async function runCommandLine(args: string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    io.stdout.write(usage);
    return 0;
  }
  if (name === "--version" || name === "-V") {
    io.stdout.write(`ingather ${readVersion()}, Node ${process.version}\n`);
    return 0;
  }
  const entry = name !== undefined && Object.hasOwn(allCommands, name) ? allCommands[name] : undefined;
  if (entry === undefined) {
    io.stderr.write(name === undefined ? usage : describeUnknown(name));
    return usageErrorCode;
  }
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    io.stdout.write(command.usage);
    return 0;
  }
  if (!asksForJson(rest)) return run(command, { name: name ?? "", rest }, io);
  const ending = new JsonEnding(io);
  const code = await run(command, { name: name ?? "", rest }, ending.io);
  ending.end(code);
  return code;
}

/** Runs a command. @returns the exit code, also of a command that throws an error */
async function run(
  command: Command,
  { name, rest }: { name: string; rest: string[] },
  io: CommandIo,
): Promise<number> {
  try {
    return await command.run(rest, io);
  } catch (error) {
    if (error instanceof ConfigError) {
      io.stderr.write(`${printableLines(error.message)}\n`);
      return usageErrorCode;
    }
    if (error instanceof CommandFailure) {
      io.stderr.write(`${printableLines(error.message)}\n`);
      return error.exitCode;
    }
    if (!(error instanceof InputError)) throw error;
    io.stderr.write(
      `${printableLines(error.message)}\nnpx ingather ${name} --help shows how to use the command.\n`,
    );
    return usageErrorCode;
  }
}

function describeUnknown(name: string): string {
  const nearest = nearestName(name, Object.keys(allCommands));
  if (nearest === undefined) return `There is no command ${printable(name)}.\n\n${usage}`;
  return `There is no command ${printable(name)}; did you mean ${nearest}?\nnpx ingather --help lists the commands.\n`;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  return String(version);
}
