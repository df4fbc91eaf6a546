import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { InputError, PlatformError } from "../../../shared/core/errors.ts";
import type { DeduplicationIndex } from "../../../shared/snapshots/index/deduplication-index.ts";
import type { IndexEntry } from "../../../shared/snapshots/index/index-entry.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { withIndex } from "../snapshots/index/open-index.ts";
import { type Command, CommandFailure, type Output } from "./command.ts";

const usage = `npx ingather lookup DIR URL DIGEST
npx ingather lookup DIR -

Finds the original of a capture in the deduplication index in the folder DIR, and prints "url digest date origin".
DIGEST is case-insensitive; the name of its algorithm is optional. With -, reads pairs from standard input, one "URL
DIGEST" per line, and prints one line per pair: the original, or - if it is not found.

  --help           show this

Exit code: 0 found, or all lines were read; 1 not found; 2 wrong use, or the index is missing or damaged.
`;

export const lookupCommand: Command = {
  usage,
  async run(args, { stdin, stdout }) {
    const [folder, url, digest, ...rest] = parseArguments(args, {}).positionals;
    const isList = url === "-" && digest === undefined;
    if (folder === undefined || url === undefined || (digest === undefined && !isList) || rest.length > 0)
      throw new InputError("DIR URL DIGEST", args.join(" "), "are required");
    const answer = async (index: DeduplicationIndex) => {
      if (digest === undefined) return answerPairs(index, stdin, stdout);
      const entry = await index.lookup(url, withoutAlgorithm(digest));
      stdout.write(entry === undefined ? "" : `${format(entry)}\n`);
      return entry === undefined ? 1 : 0;
    };
    return withIndex(folder, answer).catch((error) => {
      // Exits with a failure, because a damaged index must not look like "not found".
      throw error instanceof PlatformError ? new CommandFailure(error.message, 2) : error;
    });
  },
};

/** Writes one response per input line. @returns the exit code */
async function answerPairs(
  index: DeduplicationIndex,
  input: AsyncIterable<string | Buffer>,
  output: Output,
): Promise<number> {
  for await (const line of createInterface({ input: Readable.from(input) })) {
    const [url = "", digest = ""] = line.trim().split(/\s+/);
    output.write(`${format(await index.lookup(url, withoutAlgorithm(digest)))}\n`);
  }
  return 0;
}

function withoutAlgorithm(digest: string): string {
  return digest.slice(digest.lastIndexOf(":") + 1);
}

function format(entry: IndexEntry | undefined): string {
  return entry === undefined ? "-" : `${entry.url} ${entry.digest} ${entry.date} ${entry.origin}`;
}
