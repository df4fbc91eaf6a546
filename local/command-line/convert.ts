import { chooseLanguageDetector } from "../../shared/adapters/tika/tika-detector.ts";
import type { Conversion } from "../../shared/convert/conversion.ts";
import { resolveItems, writeRecords } from "../../shared/convert/convert.ts";
import { dayIn } from "../../shared/core/day.ts";
import { InputError } from "../../shared/core/errors.ts";
import { authorityLookupUrl } from "../../shared/harvest/authority/authority.ts";
import { identifyingFields, type ZoteroItem } from "../../shared/metadata/zotero-item.ts";
import { allowingHostsOf, defaultAddressPolicy } from "../../shared/web/address/admit-url.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import { lookUpAuthorities } from "../harvest/look-up-authorities.ts";
import { stoppedExitCode } from "../stop-signals.ts";
import type { Command } from "./command.ts";
import {
  type ConfiguredSource,
  configuredSourceOptions,
  configuredSourceUsage,
  readConfiguredSource,
} from "./configured-source.ts";
import { parseArguments } from "./parse-arguments.ts";
import { printable } from "./printable.ts";
import { readJsonFile } from "./read-json-file.ts";
import { type RecordFormat, recordFormats, writeConverted } from "./record-output.ts";
import { parseUrlArgument } from "./url-argument.ts";

const usage = `npx ingather convert ITEMS.json --config X.conf --source NAME [options]

Converts items, as Zotero's translation server answers them, to MARC-21, as the configuration says for the source. Records go to
standard output; dropped items, with their reasons, and warnings to standard error. Names are looked up at the address that the
configuration names for the source's group or subgroup. The file is held as a whole, with some 20 kB of memory for each item: divide what has
more than 100,000, not between an item and its notes.

${configuredSourceUsage}
  --format FORMAT  marcxml (default), iso2709, or json: a line per record, {"leader", "control": [[tag, value]],
                   "fields": [[tag, indicators, [[code, value]]]], "hash"}
  --url URL        the page that the items were read from (default: the source's own)
  --tika URL       ask this Apache Tika server for languages instead of the embedded detector
  --allow-private  look names up although the configured address is a private one
  --help           show this

Exit code: 0 every item became a record, 1 some were dropped, 2 wrong use or unusable configuration, 130 stopped by
Ctrl-C, 143 by SIGTERM.
`;

interface Options extends ConfiguredSource {
  items: ZoteroItem[];
  format: RecordFormat;
  harvestedUrl: string;
  tika: URL | undefined;
  allowPrivate: boolean;
}

export const convertCommand: Command = {
  usage,
  async run(args, io) {
    const options = await readOptions(args);
    for (const warning of options.warnings) io.stderr.write(`warning: ${printable(warning)}\n`);
    const conversions = await convert(options, io.signal);
    if (io.signal.aborted) return stoppedExitCode(io.signal);
    const labelled = conversions.map((one) => ({ ...one, place: describeItem(options.items, one.index) }));
    const converted = labelled.filter((one) => one.type === "converted");
    for (const { place, warnings } of converted) {
      for (const warning of warnings) io.stderr.write(`warning: ${printable(`${warning} (${place})`)}\n`);
    }
    const dropped = labelled.flatMap((one) =>
      one.type === "dropped" ? [`${one.reason}: ${one.detail} (${one.place})`] : [],
    );
    dropped.push(...writeConverted(converted, options.format, io.stdout));
    for (const reason of dropped) io.stderr.write(`dropped: ${printable(reason)}\n`);
    return dropped.length === 0 ? 0 : 1;
  },
};

async function convert(options: Options, signal: AbortSignal): Promise<(Conversion & { index: number })[]> {
  const { source, group, settings, harvestedUrl } = options;
  const context = { source, group, settings, harvestedUrl };
  const settlement = await resolveItems(options.items, context, chooseLanguageDetector(options.tika));
  const base = authorityLookupUrl(source, group, settings);
  const gate = new InProcessGate({
    addresses:
      options.allowPrivate && base !== undefined ? allowingHostsOf([new URL(base)]) : defaultAddressPolicy,
    userAgent: group.userAgent,
    delays: settings,
    signal,
  });
  try {
    const authorities = await lookUpAuthorities(settlement.namesToLookUp, base, gate);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const facts = { today: dayIn(timeZone, new Date()), authorities };
    const { indexes } = settlement;
    return writeRecords(settlement, context, facts).map((one, at) => ({ ...one, index: indexes[at] ?? at }));
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  } finally {
    await gate.close();
  }
}

/** How an item is found again: its place in the file, its title and its address. */
function describeItem(items: ZoteroItem[], index: number): string {
  const { title, url } = identifyingFields(items[index]);
  const names = [title, url && `<${url}>`].flatMap((name) => (name ? [` ${name.slice(0, 100)}`] : []));
  return `item ${index + 1}${names.join("")}`;
}

/** @throws InputError */
async function readOptions(args: string[]): Promise<Options> {
  const { values, positionals } = parseArguments(args, {
    ...configuredSourceOptions,
    format: { type: "string", default: "marcxml" },
    url: { type: "string" },
    tika: { type: "string" },
    "allow-private": { type: "boolean", default: false },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    throw new InputError("ITEMS.json", positionals.join(" "), "must be one file of items");
  }
  const format = recordFormats.find((one) => one === values.format);
  if (format === undefined) {
    throw new InputError("--format", values.format, `must be one of ${recordFormats.join(", ")}`);
  }
  const items = await readJsonFile("ITEMS.json", path);
  if (!Array.isArray(items)) throw new InputError("ITEMS.json", items, "must be a list of items");
  const configured = await readConfiguredSource(values);
  return {
    ...configured,
    items,
    format,
    harvestedUrl:
      values.url === undefined ? configured.source.url : parseUrlArgument("--url", values.url).href,
    tika: values.tika === undefined ? undefined : parseUrlArgument("--tika", values.tika),
    allowPrivate: values["allow-private"],
  };
}
