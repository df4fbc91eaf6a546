import { chooseLanguageDetector } from "../../../shared/adapters/tika/choose-detector.ts";
import { InputError } from "../../../shared/core/errors.ts";
import type { Preview } from "../../../shared/deliver/validate/preview.ts";
import { authorityLookupUrl } from "../../../shared/harvest/authority/authority.ts";
import type { Group } from "../../../shared/records/sources/group.ts";
import type { Settings } from "../../../shared/records/sources/settings.ts";
import type { Source } from "../../../shared/records/sources/source.ts";
import { allowingHostsOf } from "../../../shared/web/address/admit-url.ts";
import { proxiesFromEnvironment } from "../../../shared/web/exchange/proxy-environment.ts";
import { defaultConfiguration, detectSource } from "../harvest/detect-source.ts";
import { type HarvestOptions, harvestOnce } from "../harvest/harvest-once.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import type { MailFile } from "../memory/received-mail.ts";
import type { CommandIo } from "./command.ts";
import { configuredSourceOptions, configuredSourceUsage, readConfiguredSource } from "./configured-source.ts";
import { readMailFiles } from "./mail-files.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";
import { parseUrlArgument } from "./url-argument.ts";
import { readValidationRuleFile } from "./validation-rule-file.ts";

export const harvestSourceUsage = `${configuredSourceUsage}
  --rules FILE     also validate with the rules of this file, in the format of npx ingather validate. A rule for one
                   source names its id (ixtheo-1167) or its Zeder id. Default: only the standard rules
  --translation-server URL
                   read articles with this Zotero translation server (default: read the metadata of their pages)
  --mail PATH      for a source of the type EMAIL: read this message (RFC 5322, .eml), or all messages in this folder;
                   may be repeated
  --sitemaps       for a source of the type CRAWL: also read the site's sitemaps
  --tika URL       detect languages with this Apache Tika server (default: the embedded detector)
  --allow-private  permit the source's host, and the host where names are looked up, to be private, on any port`;

export const harvestSourceOptions = {
  ...configuredSourceOptions,
  rules: { type: "string" },
  "translation-server": { type: "string" },
  mail: { type: "string", multiple: true, default: [] as string[] },
  sitemaps: { type: "boolean", default: false },
  tika: { type: "string" },
  "allow-private": { type: "boolean", default: false },
} as const;

interface Values {
  config?: string;
  source?: string;
  maps?: string;
  rules?: string;
  "translation-server"?: string;
  mail: string[];
  sitemaps: boolean;
  tika?: string;
  "allow-private": boolean;
}

/** Harvests a URL or a configured source. @returns undefined if a signal stopped the harvest */
export async function harvestFromOptions(
  positionals: string[],
  values: Values,
  { newest, io }: { newest?: number | undefined; io: CommandIo },
): Promise<Preview | undefined> {
  const url = parseHarvestUrl(positionals, values);
  const detectLanguage = chooseLanguageDetector(parseOptionalUrl("--tika", values.tika));
  const rules = values.rules === undefined ? [] : (await readValidationRuleFile(values.rules)).rules;
  const common = {
    detectLanguage,
    newest,
    rules,
    signal: io.signal,
    onProgress: showProgress(io),
  } satisfies Partial<HarvestOptions>;
  if (url !== undefined) {
    const unconfigured = defaultConfiguration();
    return withGate({ ...unconfigured, named: [url.href] }, values, io, async (gate) => {
      const { feedOfPage, ...detected } = await detectSource(url, {
        gate,
        userAgent: unconfigured.group.userAgent,
      });
      if (feedOfPage !== undefined) {
        io.stderr.write(`${printable(`${url.href} offers the feed ${feedOfPage}, which is harvested.`)}\n`);
      }
      return harvestOnce({ ...unconfigured, ...common, ...detected, gate });
    });
  }
  const { warnings, ...read } = await readConfiguredSource(values);
  for (const warning of warnings) io.stderr.write(`warning: ${printable(warning)}\n`);
  const configured = { ...read, source: values.sitemaps ? withSitemaps(read.source) : read.source };
  const { source, group, settings } = configured;
  const mailFiles = loadMailFiles(source, values.mail);
  const named = [source.url, authorityLookupUrl(source, group, settings) ?? source.url];
  return withGate({ ...configured, named }, values, io, (gate) =>
    harvestOnce({ ...configured, ...common, mailFiles, gate }),
  );
}

/**
 * Reads the messages of a source.
 * @throws InputError when messages cannot be read, when an EMAIL source has none, or when messages are given
 *   for a source of another type
 */
function loadMailFiles({ type }: Source, paths: string[]): MailFile[] {
  if (type !== "EMAIL" && paths.length > 0) {
    throw new InputError("--mail", type, "is permitted only for sources of the type EMAIL");
  }
  if (type === "EMAIL" && paths.length === 0) {
    throw new InputError("--mail", "", "is required for a source of the type EMAIL");
  }
  return readMailFiles(paths);
}

/**
 * Returns the source with its sitemaps enabled. @throws InputError if the source does not have the type CRAWL
 */
function withSitemaps(source: Source): Source {
  if (source.type !== "CRAWL")
    throw new InputError("--sitemaps", source.type, "is permitted only for sources of the type CRAWL");
  return { ...source, crawl: { ...source.crawl, sitemaps: true } };
}

function parseHarvestUrl(
  positionals: string[],
  { config, source, maps, sitemaps, mail }: Values,
): URL | undefined {
  const [url, ...more] = positionals;
  if (more.length > 0) throw new InputError("URL", positionals.join(" "), "must be a single URL");
  if (url === undefined) {
    if (config === undefined && source === undefined) {
      throw new InputError("arguments", "", "a URL, or --config and --source, are required");
    }
    return undefined;
  }
  if (config !== undefined || source !== undefined || maps !== undefined) {
    throw new InputError("URL", url, "cannot be combined with --config, --source and --maps");
  }
  if (mail.length > 0) {
    throw new InputError("--mail", url, "needs a configured source of the type EMAIL");
  }
  if (sitemaps) throw new InputError("--sitemaps", url, "needs a configured source of the type CRAWL");
  return parseUrlArgument("URL", url);
}

/** Runs work with a gate. @param by.named URLs whose hosts may have private addresses with --allow-private */
async function withGate(
  by: { group: Group; settings: Settings; named: string[] },
  values: Values,
  io: CommandIo,
  work: (gate: InProcessGate) => Promise<Preview>,
): Promise<Preview | undefined> {
  const { group, settings, named } = by;
  const mayBePrivate = values["allow-private"] ? named.map((address) => new URL(address)) : [];
  const server = parseOptionalUrl("--translation-server", values["translation-server"]);
  const gate = new InProcessGate({
    addresses: allowingHostsOf(mayBePrivate),
    userAgent: group.userAgent,
    delays: settings,
    proxyFor: proxiesFromEnvironment(process.env),
    signal: io.signal,
    translationServer: server && { url: server, timeoutMs: settings.requestTimeoutSeconds * 1000 },
  });
  try {
    return await work(gate);
  } catch (error) {
    if (io.signal.aborted) return undefined;
    throw error;
  } finally {
    if (io.stderr.isTTY) io.stderr.write("\r\x1b[K");
    await gate.close();
  }
}

function parseOptionalUrl(argument: string, text: string | undefined): URL | undefined {
  return text === undefined ? undefined : parseUrlArgument(argument, text);
}

/** Shows on a terminal how many requests have responses so far. */
function showProgress({ stderr }: CommandIo): (progress: { read: number; requested: number }) => void {
  if (!stderr.isTTY) return () => undefined;
  const bar = new ProgressBar(stderr, { total: 1, nowMs: () => performance.now() });
  return ({ read, requested }) => {
    bar.expect(requested);
    bar.update(read, "responses read");
  };
}
