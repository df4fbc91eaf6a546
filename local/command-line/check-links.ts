import { systemClock } from "../../shared/core/clock.ts";
import { InputError } from "../../shared/core/errors.ts";
import { checkLinks } from "../../shared/links/check/check-links.ts";
import { maxPageBytes } from "../../shared/links/rule/match-page.ts";
import { compileRule, type LinkRule, ruleWarnings } from "../../shared/links/rule/rule.ts";
import {
  type AddressPolicy,
  allowingHostsOf,
  defaultAddressPolicy,
} from "../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { gatePolicy } from "../../shared/web/gate/gate-policy.ts";
import { namesPrivateHost } from "../private-host.ts";
import { stoppedExitCode } from "../stop-signals.ts";
import { contactAdvice, namesContact, resolveUserAgent } from "../user-agent.ts";
import type { Command, CommandIo } from "./command.ts";
import { readLinkList } from "./link-list.ts";
import { LinkReport } from "./link-report.ts";
import { readLinkRuleFile } from "./link-rule-file.ts";
import { parseArguments } from "./parse-arguments.ts";

const defaultDelayMs = 1000;
const defaultConcurrency = 64;

/** Of a response's head, and of its page. A host that never answers is given up after two: within a minute. */
const timeoutMs = 20_000;

const usage = `npx ingather check-links FILE|URL… [options]

Checks links and reports each as alive, broken or inconclusive, with the reason. A FILE has one URL per line; blank lines
and lines that begin with # are ignored; - is standard input. A host gets one request at a time.

  --rules FILE       a collection rule as JSON: {"statusCodes": "301,4..", "xpath": "//p[@class='error']"};
                     "finalUrl" matches the address that redirects lead to
  --delay MS         wait after each request to a host (default ${defaultDelayMs}; a longer throttle of the rule counts)
  --concurrency N    hosts requested at once (default ${defaultConcurrency})
  --allow-private    also request private hosts, on any port, if the list names them
  --user-agent TEXT  the User-Agent header; include a URL with a contact
  --json             one JSON object per link; the summary goes to standard error
  --help             show this

Exit code: 0 all alive, 1 some broken or inconclusive, 2 wrong use or unwritable output, 130 stopped by Ctrl-C,
143 by SIGTERM, 141 by a closed output pipe.
`;

interface Options {
  rule: LinkRule;
  delayMs: number;
  concurrency: number;
  allowPrivate: boolean;
  userAgent: string;
  json: boolean;
  links: ReadonlySet<string>;
}

export const checkLinksCommand: Command = {
  usage,
  async run(args, io) {
    const options = await readOptions(args, io);
    if (!namesContact(options.userAgent) && hasPublicHost(options.links))
      io.stderr.write(`${contactAdvice}\n`);
    for (const warning of ruleWarnings(options.rule)) io.stderr.write(`--rules: ${warning}\n`);
    const report = new LinkReport(io, {
      total: options.links.size,
      json: options.json,
      nowMs: () => performance.now(),
    });
    await check(options, report, io.signal);
    const areAllAlive = report.finish();
    if (io.signal.aborted) return stoppedExitCode(io.signal);
    return areAllAlive ? 0 : 1;
  },
};

async function check(options: Options, report: LinkReport, signal: AbortSignal): Promise<void> {
  const { links, rule, delayMs, concurrency } = options;
  const addresses = options.allowPrivate ? addressPolicyFor(links) : defaultAddressPolicy;
  const client = createHttpClient({
    policy: addresses,
    limits: { bodyBytes: maxPageBytes, headersMs: timeoutMs, bodyMs: timeoutMs },
    maxOpenHosts: 1000,
  });
  try {
    await checkLinks(
      links,
      {
        exchange: client.exchange,
        report: (result) => report.add(result),
        clock: systemClock,
        random: Math.random,
      },
      {
        rule: compileRule(rule),
        policy: gatePolicy({
          defaultDelayMs: delayMs,
          maxAttempts: 2,
          backoffBaseMs: 2000,
          // Retry-After is capped because a user waits; the links of that host end as inconclusive.
          retryAfterMaxMs: 60_000,
          backoffMaxMs: 16_000,
        }),
        addresses,
        userAgent: options.userAgent,
        concurrency,
        signal,
      },
    );
  } finally {
    await client.close();
  }
}

/** Allows the private hosts in the list. Redirects to other private hosts are refused. */
function addressPolicyFor(links: Iterable<string>): AddressPolicy {
  return allowingHostsOf([...links].map((link) => URL.parse(link)).filter((url) => url !== null));
}

/** @throws InputError */
async function readOptions(args: string[], { stdin }: CommandIo): Promise<Options> {
  const { values, positionals } = parse(args);
  const rule = values.rules === undefined ? { active: true } : await readLinkRuleFile(values.rules);
  const throttleMs = (rule.throttleSeconds ?? 0) * 1000;
  return {
    rule,
    delayMs: Math.max(parseWholeNumber("delay", values.delay, { min: 0, max: 3_600_000 }), throttleMs),
    concurrency: parseWholeNumber("concurrency", values.concurrency, { min: 1, max: 1000 }),
    allowPrivate: values["allow-private"],
    userAgent: resolveUserAgent(values["user-agent"], "link check"),
    json: values.json,
    links: await readLinkList(positionals, stdin),
  };
}

function parse(args: string[]) {
  return parseArguments(args, {
    rules: { type: "string" },
    delay: { type: "string", default: String(defaultDelayMs) },
    concurrency: { type: "string", default: String(defaultConcurrency) },
    "allow-private": { type: "boolean", default: false },
    "user-agent": { type: "string" },
    json: { type: "boolean", default: false },
  });
}

/** Whether any link leads to a public host. */
function hasPublicHost(links: Iterable<string>): boolean {
  for (const link of links) {
    const url = URL.parse(link);
    if (url !== null && /^https?:$/.test(url.protocol) && !namesPrivateHost(url)) return true;
  }
  return false;
}

function parseWholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new InputError(`--${name}`, text, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}
