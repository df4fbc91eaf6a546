import { InputError } from "../../../shared/core/errors.ts";
import { readOaiAnswer } from "../../../shared/formats/oai/answer.ts";
import { isDatestamp } from "../../../shared/formats/oai/datestamp.ts";
import { type ListState, listUrl, startList } from "../../../shared/formats/oai/list-state.ts";
import {
  type ListArguments,
  type OaiLocation,
  oaiRequestUrl,
  parseOaiUrl,
} from "../../../shared/formats/oai/request-url.ts";
import { maxUrlLength } from "../../../shared/web/request/request.ts";
import { downloadFile } from "../harvest/download-file.ts";
import { fetchOai } from "../harvest/oai-exchange.ts";
import type { CommandIo } from "./command.ts";
import { OaiFolder } from "./oai-folder.ts";
import { OaiHarvest } from "./oai-harvest.ts";
import { type OaiOptionValues, oaiOptions, openOaiGate, parseOaiOptions } from "./oai-options.ts";

export const harvestOaiOptions = {
  ...oaiOptions,
  prefix: { type: "string" },
  set: { type: "string" },
  from: { type: "string" },
  until: { type: "string" },
  files: { type: "boolean", default: false },
} as const;

interface Values extends OaiOptionValues {
  prefix?: string;
  set?: string;
  from?: string;
  until?: string;
  out?: string;
  files: boolean;
}

const defaultPrefix = "oai_dc";

/**
 * Returns whether the arguments name an OAI-PMH repository.
 * They do if they have an option that only an OAI-PMH harvest has or a verb in the URL, or if the URL
 * contains "oai" and responds to Identify.
 */
export async function namesOaiRepository(
  positionals: string[],
  values: Values & { config?: string; source?: string },
  io: CommandIo,
): Promise<boolean> {
  const { config, source, prefix, set, from, until, delay, json } = values;
  if (config !== undefined || source !== undefined) return false;
  if (json || values.files || [prefix, set, from, until, delay].some((value) => value !== undefined))
    return true;
  const [url = ""] = positionals;
  const location = parseOaiUrl(url);
  if (location === undefined || location.verb !== undefined) return location !== undefined;
  if (!/oai/i.test(new URL(location.baseUrl).pathname)) return false;
  const { gate, target, close } = openOaiGate(location.baseUrl, parseOaiOptions(values), io);
  try {
    const { outcome, body } = await fetchOai(
      { url: oaiRequestUrl(location.baseUrl, "Identify") },
      gate,
      target,
    );
    return readOaiAnswer(outcome, body, {}).type === "page";
  } finally {
    await close();
  }
}

/**
 * Harvests the list of an OAI-PMH repository.
 * @returns the exit code
 * @throws InputError
 */
export async function harvestOai(positionals: string[], values: Values, io: CommandIo): Promise<number> {
  const [text = "", ...more] = positionals;
  if (more.length > 0) throw new InputError("URL", positionals.join(" "), "must be a single URL");
  const options = parseOaiOptions(values);
  const { out, files } = values;
  if (files && out === undefined)
    throw new InputError("--files", "", "needs --out, the folder for the files");
  const location = parseListUrl(text);
  const begin = beginOf(location, values);
  const request = listUrl(location.baseUrl, begin);
  if (request.length > maxUrlLength)
    throw new InputError("URL", request, `must have at most ${maxUrlLength} characters, with its arguments`);
  const folder = values.out === undefined ? undefined : new OaiFolder(values.out, request);
  const { gate, target, close } = openOaiGate(location.baseUrl, options, io, out);
  const download = files ? (url: string) => downloadFile(url, gate, target) : undefined;
  const harvest = new OaiHarvest(folder?.resumed?.state ?? begin, {
    folder,
    json: options.json,
    allowPrivate: options.allowPrivate,
    io,
    download,
  });
  try {
    await harvest.read(gate, target);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    await close();
  }
  return harvest.finish(location.baseUrl);
}

/** @throws InputError when the URL is neither a base URL nor a ListRecords request */
function parseListUrl(text: string): OaiLocation {
  const location = parseOaiUrl(text);
  if (location === undefined)
    throw new InputError("URL", text, "must be the http(s) URL of an OAI-PMH repository");
  if (location.verb !== undefined && location.verb !== "ListRecords" && location.verb !== "Identify") {
    throw new InputError("URL", text, `has the verb ${location.verb}; ListRecords is expected`);
  }
  return location;
}

/**
 * Returns the initial state of the list. Options override the arguments of a pasted URL. @throws InputError
 */
function beginOf({ args }: OaiLocation, options: Values): ListState {
  const { resumptionToken } = args;
  const { prefix, set, from, until } = options;
  if (resumptionToken !== undefined) {
    for (const [name, value] of Object.entries({ prefix, set, from, until })) {
      if (value !== undefined)
        throw new InputError(`--${name}`, value, "cannot be combined with a resumptionToken");
    }
    const { metadataPrefix } = args;
    return startList("ListRecords", { ...(metadataPrefix && { metadataPrefix }) }, resumptionToken);
  }
  const wanted = {
    metadataPrefix: prefix ?? args.metadataPrefix ?? defaultPrefix,
    set: set ?? args.set,
    from: from ?? args.from,
    until: until ?? args.until,
  };
  assertDates(wanted);
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== "");
  return startList("ListRecords", Object.fromEntries(given) as ListArguments);
}

/**
 * Checks the dates of a selective harvest.
 * @throws InputError
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#SelectiveHarvestingandDatestamps
 */
function assertDates({ from, until }: { from: string | undefined; until: string | undefined }): void {
  for (const [name, date] of Object.entries({ from, until })) {
    if (date === undefined || isDatestamp(date)) continue;
    throw new InputError(`--${name}`, date, "must be a date such as 2026-01-31 or 2026-01-31T00:00:00Z");
  }
  if (from === undefined || until === undefined) return;
  if (from.length !== until.length)
    throw new InputError("--until", until, `must be as precise as --from (${from})`);
  if (from > until) throw new InputError("--until", until, `must not be before --from (${from})`);
}
