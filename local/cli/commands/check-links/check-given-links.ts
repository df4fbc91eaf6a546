import { systemClock } from "../../../../shared/core/clock.ts";
import { digest } from "../../../../shared/core/digest.ts";
import { InputError } from "../../../../shared/core/errors.ts";
import { digestedValues } from "../../../../shared/core/field-table.ts";
import { compileRule, type LinkRule, readRule } from "../../../../shared/links/rule/rule.ts";
import { linkRuleFields } from "../../../../shared/links/rule/rule-fields.ts";
import { ruleWarnings } from "../../../../shared/links/rule/rule-warnings.ts";
import { hostKeyOfName } from "../../../../shared/web/address/host-key.ts";
import { proxiesFromEnvironment } from "../../../../shared/web/exchange/proxy-environment.ts";
import { namesPrivateHost } from "../../../private-host.ts";
import { stoppedExitCode } from "../../../stop-signals.ts";
import { contactAdvice, namesContact, resolveUserAgent } from "../../../user-agent.ts";
import type { CommandIo } from "../command.ts";
import { printable } from "../printable.ts";
import { readJsonFile } from "../read-json-file.ts";
import { parseUrlArgument } from "../url-argument.ts";
import { parseHeaders } from "./header-option.ts";
import type { LinkCache } from "./link-cache.ts";
import { createLinkFilter } from "./link-filter.ts";
import { distinctOrigins } from "./link-origins.ts";
import { LinkReport } from "./link-report.ts";
import { LinkRun, type LinkRunOptions } from "./link-run.ts";
import type { OptionValues } from "./option-table.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { type LinkInputs, readInputs } from "./read-inputs.ts";
import type { WaitingThreads } from "./threads/waiting-threads.ts";

/**
 * Checks the links that the arguments name, and reports them.
 * @returns the exit code
 * @throws InputError
 */
export async function checkGivenLinks(
  { values, positionals, configurationFile }: ParsedOptions,
  { io, threads }: { io: CommandIo; threads: WaitingThreads },
): Promise<number> {
  const { rule, ...settings } = await readSettings(values);
  const inputs = await readWanted(positionals, values, { io, isWanted: settings.isWanted });
  const cache = values.cache === undefined ? undefined : await openCache(values.cache, values, rule);
  const notes = configurationFile === undefined ? [] : [`Options are also read from ${configurationFile}.`];
  const warnings = ruleWarnings(rule).map((warning) => `--rules: ${warning}`);
  const advice = needsContact(settings.userAgent, inputs) ? [contactAdvice] : [];
  for (const line of [...notes, ...advice, ...warnings, ...inputs.notes]) {
    io.stderr.write(`${printable(line)}\n`);
  }
  const report = new LinkReport(io, {
    format: values.json ? "json" : values.output,
    total: inputs.links.size,
    nowMs: () => performance.now(),
  });
  const run = new LinkRun(
    { ...settings, rule: compileRule(rule), inputs, cache, waitingThreads: threads, signal: io.signal },
    report,
  );
  await run.finish();
  const areAllAlive = report.finish();
  await cache?.save();
  if (io.signal.aborted) return stoppedExitCode(io.signal);
  return areAllAlive ? 0 : 1;
}

type Settings = Omit<LinkRunOptions, "rule" | "inputs" | "cache" | "waitingThreads" | "signal"> & {
  rule: LinkRule;
};

/** @throws InputError */
async function readSettings(values: OptionValues): Promise<Settings> {
  const rule = values.rules === undefined ? { active: true } : await readLinkRuleFile(values.rules);
  const { depth, concurrency, fragments, threads } = values;
  return {
    rule,
    depth,
    concurrency,
    threads,
    fragments,
    delayMs: Math.max(values.delay, (rule.throttleSeconds ?? 0) * 1000),
    timeoutMs: values.timeout * 1000,
    retries: values.retries,
    maxTimeMs: values["max-time"] * 1000,
    allowPrivate: values["allow-private"],
    userAgent: resolveUserAgent(values["user-agent"], "link check"),
    headers: parseHeaders(values.header),
    insecureHosts: new Set(values.insecure.map(parseInsecureHost)),
    proxyFor: proxiesFromEnvironment(process.env),
    isWanted: createLinkFilter(values),
  };
}

function parseInsecureHost(name: string): string {
  const hostKey = hostKeyOfName(name);
  if (hostKey === undefined)
    throw new InputError("--insecure", name, "must be a host, or a host with a port");
  // A host key omits port 443, because it is the default.
  return hostKey.replace(/:443$/, "");
}

async function readWanted(
  positionals: string[],
  { input, base, recursive }: OptionValues,
  { io, isWanted }: { io: CommandIo; isWanted: (url: string) => boolean },
): Promise<LinkInputs> {
  if (base !== undefined) parseUrlArgument("--base", base);
  const inputs = await readInputs(positionals, { input, base, recursive }, io.stdin);
  inputs.links.retain(isWanted);
  return inputs;
}

/**
 * Opens the cache. Its digest covers the rule and whether fragments are checked, because results depend on
 * both.
 */
async function openCache(file: string, values: OptionValues, rule: LinkRule): Promise<LinkCache> {
  const { LinkCache } = await import("./link-cache.ts");
  const ruleDigest = digest(JSON.stringify([...digestedValues(linkRuleFields, rule), values.fragments]));
  const maxAgeMs = values["cache-age"] * 3_600_000;
  return LinkCache.open({ file, maxAgeMs, ruleDigest, clock: systemClock });
}

/** Returns whether public hosts would be requested with a User-Agent that names no contact. */
function needsContact(userAgent: string, { links, starts, sitemaps }: LinkInputs): boolean {
  if (namesContact(userAgent)) return false;
  for (const each of [...starts, ...sitemaps]) if (leadsToPublicHost(each)) return true;
  for (const link of distinctOrigins(links.urls())) if (leadsToPublicHost(link)) return true;
  return false;
}

function leadsToPublicHost(link: string): boolean {
  const url = URL.parse(link);
  return url !== null && /^https?:$/.test(url.protocol) && !namesPrivateHost(url);
}

/**
 * Reads the collection rule of a JSON file.
 * @throws InputError when the rule is invalid or inactive
 */
async function readLinkRuleFile(name: string): Promise<LinkRule> {
  const rule = readRule(await readJsonFile("--rules", name));
  if (!rule.active)
    throw new InputError("active", false, "must be true, because an inactive rule checks nothing");
  return rule;
}
