import { join } from "node:path";
import { allowingHostsOf } from "../../../shared/web/address/admit-url.ts";
import { proxiesFromEnvironment } from "../../../shared/web/exchange/proxy-environment.ts";
import { namesPrivateHost } from "../../private-host.ts";
import { contactAdvice, namesContact, resolveUserAgent } from "../../user-agent.ts";
import { streamToFolder } from "../harvest/download-file.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import type { OaiTarget } from "../harvest/oai-exchange.ts";
import type { CommandIo } from "./command.ts";
import { parseDelay } from "./whole-number-option.ts";

/** The options that the commands for OAI-PMH repositories share. */
export interface OaiOptions {
  delayMs: number;
  allowPrivate: boolean;
  json: boolean;
}

const defaultDelayMs = 1000;

/** The maximum Crawl-delay that is obeyed. */
const maxCrawlDelayMs = 30_000;

export const oaiOptionsUsage = `  --delay MS       wait between requests (default ${defaultDelayMs})
  --allow-private  permit the repository's host to be private, on any port
  --json           JSON on standard output`;

export const oaiOptions = {
  delay: { type: "string" },
  "allow-private": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

export interface OaiOptionValues {
  delay?: string;
  "allow-private": boolean;
  json: boolean;
}

/** @throws InputError */
export function parseOaiOptions(values: OaiOptionValues): OaiOptions {
  const { delay = String(defaultDelayMs), json } = values;
  return { delayMs: parseDelay(delay), allowPrivate: values["allow-private"], json };
}

/** Opens the gate of a command that reads one repository. @param out the folder in which files are stored */
export function openOaiGate(
  baseUrl: string,
  { delayMs, allowPrivate }: OaiOptions,
  { stderr, signal }: CommandIo,
  out?: string,
): { gate: InProcessGate; target: OaiTarget; close(): Promise<void> } {
  const url = new URL(baseUrl);
  const userAgent = resolveUserAgent(undefined, "OAI-PMH harvest");
  if (!namesContact(userAgent) && !namesPrivateHost(url)) stderr.write(`${contactAdvice}\n`);
  const gate = new InProcessGate({
    addresses: allowingHostsOf(allowPrivate ? [url] : []),
    userAgent,
    delays: { defaultDelayMs: delayMs, maxDelayMs: Math.max(delayMs, maxCrawlDelayMs), hostDelays: {} },
    proxyFor: proxiesFromEnvironment(process.env),
    signal,
    ...(out !== undefined && { streamBody: streamToFolder(join(out, "files")) }),
  });
  return { gate, target: { baseUrl, delayMs, userAgent }, close: () => gate.close() };
}
