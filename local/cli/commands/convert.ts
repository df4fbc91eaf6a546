import { InputError } from "../../../shared/core/errors.ts";
import { authorityLookupUrl } from "../../../shared/harvest/authority/authority.ts";
import type { ConversionContext } from "../../../shared/harvest/convert/convert.ts";
import { allowingHostsOf, defaultAddressPolicy } from "../../../shared/web/address/admit-url.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import type { Command, CommandIo } from "./command.ts";
import {
  type ConfiguredSource,
  configuredSourceOptions,
  configuredSourceUsage,
  readConfiguredSource,
} from "./configured-source.ts";
import {
  type DocumentFormat,
  documentEntries,
  documentFormats,
  type Entry,
  itemEntries,
} from "./convert-entries.ts";
import { readDocumentFile, readMarcDocuments } from "./document-file.ts";
import { readItemGroups } from "./item-file.ts";
import { type InputFile, openInput } from "./open-input.ts";
import { printable } from "./printable.ts";
import { openRecordFile } from "./record-file.ts";
import { type RecordFormat, recordFormats } from "./record-output.ts";
import { parseUrlArgument } from "./url-argument.ts";
import { writeConversions } from "./write-conversions.ts";

const usage = `npx ingather convert ITEMS.json --config X.conf --source NAME [options]
npx ingather convert FILE.xml --from FORMAT --config X.conf --source NAME [options]

Converts the items of a Zotero translation server to MARC-21 with the configuration of a source. With --from, converts
XML documents instead: an OAI-PMH response, the records.xml of a harvest, a collection, or a single document. Writes
each record as soon as it is done, in the order of the items. Writes warnings and the dropped items, with reasons, to
standard error. Looks up names at the URL that is configured for the source's group or subgroup. Files of items, of
MARCXML and of ISO 2709 may have any size; other XML files are read into memory. The file - is standard input.

${configuredSourceUsage}
  --from FORMAT    the format of the documents: oai_dc, oai_qdc, mods or marcxml. With marcxml, the file may also be in
                   ISO 2709 (UTF-8 or MARC-8)
  --format FORMAT  marcxml (default), iso2709, or json: one line per record, {"leader", "control": [[tag, value]],
                   "fields": [[tag, indicators, [[code, value]]]], "hash"}
  --out FILE       write to FILE, which must not exist (default: -, which is standard output). The same command resumes
                   a conversion that was stopped; FILE.unfinished is its checkpoint
  --url URL        the page that the items come from (default: the source's URL). With --from, the page of the documents
                   that name no page
  --tika URL       detect languages with this Apache Tika server (default: the embedded detector)
  --allow-private  permit the host where names are looked up to be private, on any port
  --help           show this

Exit code: 0 every item became a record, 1 some were dropped, 2 wrong use, unusable configuration, or input that cannot
be read to its end, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

interface Options extends ConfiguredSource {
  /** The name of the argument that names the input. */
  argument: string;
  path: string;
  from: DocumentFormat | undefined;
  format: RecordFormat;
  /** Undefined: standard output. */
  out: string | undefined;
  url: string | undefined;
  tika: URL | undefined;
  allowPrivate: boolean;
}

export const convertCommand: Command = {
  usage,
  async run(args, io) {
    const options = await readOptions(args);
    const { source, group, settings, url = source.url, format, from, out } = options;
    const context = { source, group, settings, harvestedUrl: url };
    const gate = openGate(options, io.signal);
    try {
      const { input, entries } = await openEntries(options, context, { io, gate });
      try {
        for (const warning of options.warnings) io.stderr.write(`warning: ${printable(warning)}\n`);
        const identity = JSON.stringify([format, from, context]);
        return await writeConversions(entries, { format, out, identity, input, io });
      } finally {
        await input.close();
      }
    } finally {
      await gate.close();
    }
  },
};

/** The gate through which names are looked up. */
function openGate({ source, group, settings, allowPrivate }: Options, signal: AbortSignal): InProcessGate {
  const base = authorityLookupUrl(source, group, settings);
  const addresses =
    allowPrivate && base !== undefined ? allowingHostsOf([new URL(base)]) : defaultAddressPolicy;
  return new InProcessGate({ addresses, userAgent: group.userAgent, delays: settings, signal });
}

/** @throws InputError when the input cannot be read */
async function openEntries(
  { argument, path, from, tika }: Options,
  context: ConversionContext,
  { io, gate }: { io: CommandIo; gate: InProcessGate },
): Promise<{ input: Omit<InputFile, "chunks">; entries: AsyncIterable<Entry> }> {
  if (from === "marcxml") {
    const input = await openRecordFile(argument, path, io.stdin);
    return { input, entries: documentEntries(readMarcDocuments(argument, path, input), from, context) };
  }
  const input = await openInput(argument, path, io.stdin);
  if (from === undefined) {
    return { input, entries: itemEntries(readItemGroups(argument, path, input), context, { tika, gate }) };
  }
  try {
    return { input, entries: documentEntries(await readDocumentFile(argument, path, input), from, context) };
  } catch (error) {
    await input.close();
    throw error;
  }
}

/** @throws InputError */
async function readOptions(args: string[]): Promise<Options> {
  const { values, positionals } = parseArguments(args, {
    ...configuredSourceOptions,
    format: { type: "string", default: "marcxml" },
    from: { type: "string" },
    out: { type: "string" },
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
  return {
    ...(await readConfiguredSource(values)),
    argument,
    path,
    from,
    format,
    out: values.out === "-" ? undefined : values.out,
    url: values.url === undefined ? undefined : parseUrlArgument("--url", values.url).href,
    tika: values.tika === undefined ? undefined : parseUrlArgument("--tika", values.tika),
    allowPrivate: values["allow-private"],
  };
}

function isDocumentFormat(format: string): format is DocumentFormat {
  return Object.hasOwn(documentFormats, format);
}
