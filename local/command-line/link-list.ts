import { existsSync } from "node:fs";
import { InputError } from "../../shared/core/errors.ts";
import { withoutCredentials } from "../../shared/core/url-credentials.ts";
import type { CommandIo } from "./command.ts";
import { decodeUtf8, readTextFile } from "./read-text-file.ts";

/**
 * Reads links from the arguments: URLs, files of one URL per line, and `-` for standard input. Blank lines, lines that
 * begin with `#` and duplicates are ignored; user names and passwords are removed.
 * @throws InputError when a file cannot be read or is not UTF-8, or there are no links
 */
export async function readLinkList(args: string[], stdin: CommandIo["stdin"]): Promise<Set<string>> {
  if (args.length === 0) throw new InputError("FILE|URL", "", "must name links to check");
  const links = new Set<string>();
  for (const arg of args) {
    for (const link of await linksIn(arg, stdin)) links.add(withoutCredentials(link));
  }
  if (links.size === 0) throw new InputError("FILE|URL", args.join(" "), "must hold at least one URL");
  return links;
}

async function linksIn(arg: string, stdin: CommandIo["stdin"]): Promise<string[]> {
  if (arg === "-") {
    return linesOf(decodeUtf8(await readAll(stdin), { argument: "-", name: "standard input" }));
  }
  return isUrl(arg) ? [arg] : linesOf(await readTextFile("FILE|URL", arg));
}

/** `javascript:…` counts as a URL unless a file has this name; `example.org:80` is neither. */
function isUrl(arg: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return true;
  return /^[a-z][a-z0-9+.-]+:(?!\d)/i.test(arg) && !existsSync(arg);
}

async function readAll(stdin: CommandIo["stdin"]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
