import { chooseLanguageDetector } from "../../../shared/adapters/tika/choose-detector.ts";
import { dayIn } from "../../../shared/core/day.ts";
import { InputError } from "../../../shared/core/errors.ts";
import { identifyingFields, type ZoteroItem } from "../../../shared/formats/zotero-item.ts";
import { authorityLookupUrl } from "../../../shared/harvest/authority/authority.ts";
import { buildDropped, type Conversion } from "../../../shared/harvest/convert/conversion.ts";
import { resolveItems, writeRecords } from "../../../shared/harvest/convert/convert.ts";
import {
  convertDocument,
  crosswalkFormat,
} from "../../../shared/harvest/convert/crosswalks/convert-document.ts";
import { allowingHostsOf, defaultAddressPolicy } from "../../../shared/web/address/admit-url.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import { lookUpAuthorities } from "../harvest/look-up-authorities.ts";
import type { Command } from "./command.ts";
import {
  type ConfiguredSource,
  configuredSourceOptions,
  configuredSourceUsage,
  readConfiguredSource,
} from "./configured-source.ts";
import { type FileDocument, readDocumentFile, readMarcDocuments } from "./document-file.ts";
import { printable } from "./printable.ts";
import { readJsonFile } from "./read-json-file.ts";
import { type RecordFormat, recordFormats, writeConverted } from "./record-output.ts";
import { parseUrlArgument } from "./url-argument.ts";

const usage = `npx ingather convert ITEMS.json --config X.conf --source NAME [options]
npx ingather convert FILE.xml --from FORMAT --config X.conf --source NAME [options]

Converts the items of a Zotero translation server to MARC-21 with the configuration of a source. With --from, converts
XML documents instead: an OAI-PMH response, the records.xml of a harvest, a collection, or a single document. Writes
the records to standard output. Writes warnings and the dropped items, with reasons, to standard error. Looks up names
at the URL that is configured for the source's group or subgroup. The file is read into memory and takes about 20 kB
per item. Split files with more than 100,000 items, but not between an item and its notes.

${configuredSourceUsage}
  --from FORMAT    the format of the documents: oai_dc, oai_qdc, mods or marcxml. With marcxml, the file may also be in
                   ISO 2709 (UTF-8 or MARC-8)
  --format FORMAT  marcxml (default), iso2709, or json: one line per record, {"leader", "control": [[tag, value]],
                   "fields": [[tag, indicators, [[code, value]]]], "hash"}
  --url URL        the page that the items come from (default: the source's URL). With --from, the page of the documents
                   that name no page
  --tika URL       detect languages with this Apache Tika server (default: the embedded detector)
  --allow-private  permit the host where names are looked up to be private, on any port
  --help           show this

Exit code: 0 every item became a record, 1 some were dropped, 2 wrong use or unusable configuration, 130 stopped by Ctrl-C,
143 by SIGTERM.
`;

/** The formats of documents, with the crosswalk of each format. */
const documentFormats = {
  oai_dc: "dublin-core",
  oai_qdc: "dublin-core",
  mods: "mods",
  marcxml: "marcxml",
} as const;
type DocumentFormat = keyof typeof documentFormats;

interface Options extends ConfiguredSource {
  input:
    | { type: "items"; items: ZoteroItem[] }
    | { type: "documents"; documents: FileDocument[]; from: DocumentFormat };
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
    const { input } = options;
    const labelled =
      input.type === "items"
        ? await convertItems(input.items, options, io.signal)
        : convertDocuments(input, options);
    if (io.signal.aborted) return stoppedExitCode(io.signal);
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

type PlacedConversion = Conversion & { place: string };

/** Converts documents. Documents that are not in the given format are dropped. */
function convertDocuments(
  { documents, from }: Extract<Options["input"], { type: "documents" }>,
  { source, group, settings, harvestedUrl }: Options,
): PlacedConversion[] {
  const context = { source, group, settings, harvestedUrl };
  return documents.map(({ content, place }) => {
    if ("problem" in content) return { ...buildDropped("malformed", content.problem), place };
    const { raw } = content;
    const found = crosswalkFormat(raw);
    const conversion =
      found !== undefined && found !== documentFormats[from]
        ? buildDropped("no-crosswalk", `it is ${found}, not ${from}`)
        : convertDocument(raw, context, today());
    return { ...conversion, place };
  });
}

/** Returns the current date in the time zone of the machine. */
function today(): string {
  return dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date());
}

async function convertItems(
  items: ZoteroItem[],
  options: Options,
  signal: AbortSignal,
): Promise<PlacedConversion[]> {
  const { source, group, settings, harvestedUrl } = options;
  const context = { source, group, settings, harvestedUrl, today: today() };
  const resolved = await resolveItems(items, context, chooseLanguageDetector(options.tika));
  const base = authorityLookupUrl(source, group, settings);
  const gate = new InProcessGate({
    addresses:
      options.allowPrivate && base !== undefined ? allowingHostsOf([new URL(base)]) : defaultAddressPolicy,
    userAgent: group.userAgent,
    delays: settings,
    signal,
  });
  try {
    const authorities = await lookUpAuthorities(resolved.namesToLookUp, base, gate);
    const { indexes } = resolved;
    return writeRecords(resolved, context, { today: context.today, authorities }).map((one, at) => ({
      ...one,
      place: describeItem(items, indexes[at] ?? at),
    }));
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  } finally {
    await gate.close();
  }
}

/** Describes an item by its position in the file, its title and its URL. */
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
    from: { type: "string" },
    url: { type: "string" },
    tika: { type: "string" },
    "allow-private": { type: "boolean", default: false },
  });
  const { from } = values;
  if (from !== undefined && !isDocumentFormat(from)) {
    throw new InputError("--from", from, `must be one of ${Object.keys(documentFormats).join(", ")}`);
  }
  const argument = from === undefined ? "ITEMS.json" : "FILE.xml";
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    const what = from === undefined ? "items" : "documents";
    throw new InputError(argument, positionals.join(" "), `must be a single file of ${what}`);
  }
  const format = recordFormats.find((one) => one === values.format);
  if (format === undefined) {
    throw new InputError("--format", values.format, `must be one of ${recordFormats.join(", ")}`);
  }
  const input =
    from === undefined
      ? { type: "items" as const, items: await readItems(argument, path) }
      : { type: "documents" as const, documents: await readDocuments(argument, path, from), from };
  const configured = await readConfiguredSource(values);
  return {
    ...configured,
    input,
    format,
    harvestedUrl:
      values.url === undefined ? configured.source.url : parseUrlArgument("--url", values.url).href,
    tika: values.tika === undefined ? undefined : parseUrlArgument("--tika", values.tika),
    allowPrivate: values["allow-private"],
  };
}

function readDocuments(argument: string, path: string, from: DocumentFormat): Promise<FileDocument[]> {
  return from === "marcxml" ? readMarcDocuments(argument, path) : readDocumentFile(argument, path);
}

function isDocumentFormat(format: string): format is DocumentFormat {
  return Object.hasOwn(documentFormats, format);
}

async function readItems(argument: string, path: string): Promise<ZoteroItem[]> {
  const items = await readJsonFile(argument, path);
  if (!Array.isArray(items)) throw new InputError(argument, items, "must be a list of items");
  return items;
}
