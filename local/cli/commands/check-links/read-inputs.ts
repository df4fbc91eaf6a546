import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { InputError } from "../../../../shared/core/errors.ts";
import { pluralize } from "../../../../shared/core/pluralize.ts";
import { withoutCredentials } from "../../../../shared/core/url-credentials.ts";
import {
  detectLinkFormat,
  type LinkFormatName,
  linkReaderOf,
} from "../../../../shared/links/extract/link-formats.ts";
import { describeFileError } from "../../../errors/describe-file-error.ts";
import type { CommandIo } from "../command.ts";
import { FoundLinks } from "./found-links.ts";

export interface LinkInputs {
  links: FoundLinks;
  /** With `recursive`: the URLs of the arguments, from which the crawl starts. */
  starts: string[];
  /** The sitemaps that sitemap index files name. They are read as well. */
  sitemaps: string[];
  /** Messages for people about links that were left out. */
  notes: string[];
}

interface InputOptions {
  input: "auto" | LinkFormatName;
  base: string | undefined;
  recursive: boolean;
}

/** The maximum size of an input file. Users must split larger files. */
const maxFileBytes = 256 * 1024 * 1024;

/**
 * Reads links from the arguments: URLs, files, and `-` for standard input. A duplicate is kept once, with all
 * of its places. User names and passwords are removed.
 * @throws InputError when a file cannot be read or has no links in its format, or when there are no links at
 *   all
 */
export async function readInputs(
  args: string[],
  options: InputOptions,
  stdin: CommandIo["stdin"],
): Promise<LinkInputs> {
  if (args.length === 0) throw new InputError("FILE|URL", "", "must name links to check");
  const inputs: LinkInputs = { links: new FoundLinks(), starts: [], sitemaps: [], notes: [] };
  for (const arg of args) {
    if (arg !== "-" && isUrl(arg)) {
      const url = withoutCredentials(arg);
      if (options.recursive && /^https?:/i.test(arg)) inputs.starts.push(url);
      else inputs.links.add(url);
    } else {
      await addFile(arg, arg === "-" ? await readAll(stdin) : await readInputFile(arg), { options, inputs });
    }
  }
  if (inputs.links.size + inputs.starts.length + inputs.sitemaps.length === 0) {
    for (const note of inputs.notes) throw new InputError("FILE|URL", args.join(" "), note);
    throw new InputError("FILE|URL", args.join(" "), "must hold at least one URL");
  }
  return inputs;
}

async function addFile(
  file: string,
  bytes: Uint8Array,
  { options, inputs }: { options: InputOptions; inputs: LinkInputs },
): Promise<void> {
  const format = options.input === "auto" ? detectLinkFormat(bytes, file) : options.input;
  const read = await linkReaderOf(format);
  const reading = read(bytes, { base: options.base });
  if (reading.type === "unreadable") {
    throw new InputError("FILE|URL", file === "-" ? "standard input" : file, reading.detail);
  }
  for (const { url, isSitemap, ...place } of reading.links) {
    if (isSitemap) inputs.sitemaps.push(url);
    inputs.links.add(url, { file, ...place });
  }
  if (reading.unresolved > 0) {
    const left = pluralize(reading.unresolved, "relative link");
    inputs.notes.push(`${file}: ${left} left out; use --base URL to resolve them`);
  }
}

/**
 * Returns whether an argument is a URL. `javascript:…` counts as a URL unless a file has this name;
 * `example.org:80` is neither a URL nor a file.
 */
function isUrl(arg: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return true;
  return /^[a-z][a-z0-9+.-]+:(?!\d)/i.test(arg) && !existsSync(arg);
}

/** @throws InputError */
async function readInputFile(name: string): Promise<Buffer> {
  let sizeBytes: number;
  try {
    sizeBytes = (await stat(name)).size;
    if (sizeBytes <= maxFileBytes) return await readFile(name);
  } catch (error) {
    throw new InputError("FILE|URL", name, describeFileError(error));
  }
  throw new InputError("FILE|URL", name, `has ${sizeBytes} bytes, more than ${maxFileBytes}`);
}

async function readAll(stdin: CommandIo["stdin"]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
