import { createSparqlEndpoint } from "../../../shared/adapters/sparql/sparql-endpoint.ts";
import {
  type CheckProgress,
  type CheckResult,
  checkError,
  useHarvester,
} from "../../../shared/check-set/check-result.ts";
import { parseCheck } from "../../../shared/check-set/check-run.ts";
import type { CheckedSet } from "../../../shared/check-set/checked-set.ts";
import { countBegin, countPage, nextPageUrl, progressOf } from "../../../shared/check-set/count-set.ts";
import { sparqlPublishedSets } from "../../../shared/check-set/stores/sparql-published-sets.ts";
import { writeCheckXml } from "../../../shared/check-set/write-check-xml.ts";
import { InputError, RemoteError } from "../../../shared/core/errors.ts";
import type { Ark } from "../../../shared/identifiers/ark.ts";
import { allowingHostsOf, defaultAddressPolicy } from "../../../shared/web/address/admit-url.ts";
import { proxiesFromEnvironment } from "../../../shared/web/exchange/proxy-environment.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { adviseOnPrivate, namesPrivateHost } from "../../private-host.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { contactAdvice, namesContact, resolveUserAgent } from "../../user-agent.ts";
import { InProcessGate } from "../harvest/in-process-gate.ts";
import type { Command, Output } from "./command.ts";
import { printable } from "./printable.ts";
import { parseDelay } from "./whole-number-option.ts";

const defaultDelayMs = 1000;

/** The maximum Crawl-delay that is obeyed. A longer one is reduced to this, because a user waits. */
const maxCrawlDelayMs = 30_000;

const usage = `npx ingather check-set URL [options]

Checks whether an OAI-PMH set may be ingested, and counts its objects with an ARK in dc:relation. URL is a
ListRecords request, in quotes: 'https://host/oai?verb=ListRecords&metadataPrefix=oai_dc&set=photographs'.

  --ark ARK          count only objects with this ARK, as in ark:/80444/xv43658
  --sparql URL       first ask this SPARQL endpoint whether the set is already published;
                     the URL may contain a login: https://user:password@host/
  --delay MS         wait after each request to a host (default ${defaultDelayMs})
  --allow-private    also request a private host, on any port, if URL names it
  --user-agent TEXT  the User-Agent header; include a URL with a contact
  --json             print JSON instead of XML
  --help             show this

Exit code: 0 with a count, 1 with an error element, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

export const checkSetCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parse(args);
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0)
      throw new InputError("URL", positionals.join(" "), "must be one URL");
    const { set, ark } = parseCheck({ set: url, ark: values.ark });
    const userAgent = resolveUserAgent(values["user-agent"], "set check");
    const host = new URL(set.firstPageUrl);
    if (!namesContact(userAgent) && !namesPrivateHost(host)) io.stderr.write(`${contactAdvice}\n`);
    const delayMs = parseDelay(values.delay);
    const gate = new InProcessGate({
      addresses: values["allow-private"] ? allowingHostsOf([host]) : defaultAddressPolicy,
      userAgent,
      delays: { defaultDelayMs: delayMs, maxDelayMs: Math.max(delayMs, maxCrawlDelayMs), hostDelays: {} },
      proxyFor: proxiesFromEnvironment(process.env),
      signal: io.signal,
    });
    const progress = new CheckProgressLine(io.stderr);
    try {
      const result =
        (await askSparql(set, values.sparql)) ??
        (await countSet(set, ark, { gate, onPage: (page) => progress.update(page) }));
      progress.clear();
      if (result.type === "error") adviseOnRefusal(result.message, values["allow-private"], io.stderr);
      io.stdout.write(
        values.json ? `${JSON.stringify(asJson(set.url, result))}\n` : writeCheckXml(set.url, result),
      );
      return result.type === "count" ? 0 : 1;
    } catch (error) {
      progress.clear();
      if (io.signal.aborted) return stoppedExitCode(io.signal);
      throw error;
    } finally {
      await gate.close();
    }
  },
};

/**
 * Writes the advice to standard error, because the XML and JSON have the format of the service, whose users
 * have no such option.
 */
function adviseOnRefusal(message: string, allowPrivate: boolean, stderr: Output): void {
  const advised = adviseOnPrivate(message, allowPrivate);
  if (advised !== message) stderr.write(`${printable(advised)}\n`);
}

async function countSet(
  set: CheckedSet,
  ark: Ark | undefined,
  { gate, onPage }: { gate: InProcessGate; onPage(progress: CheckProgress): void },
): Promise<CheckResult> {
  let counted = countBegin;
  for (;;) {
    const page = counted.list.pages;
    const response = await gate.fetch({
      id: `page-${page}`,
      kind: "set-check",
      url: nextPageUrl(set, counted),
    });
    const { outcome } = response;
    const bodyKey = outcome.type === "answered" ? outcome.bodyKey : undefined;
    const body = bodyKey === undefined ? new Uint8Array() : await gate.load(bodyKey);
    gate.forget(response);
    const step = countPage({ outcome, body }, counted, { ark });
    if (step.type === "end") return step.result;
    counted = step.counted;
    onPage(progressOf(counted));
  }
}

/**
 * Asks the SPARQL endpoint. @returns the result if the set is already published or the endpoint does not
 * respond
 */
async function askSparql(set: CheckedSet, url: string | undefined): Promise<CheckResult | undefined> {
  if (url === undefined) return undefined;
  const queryUrl = URL.parse(url);
  if (queryUrl === null || !/^https?:$/.test(queryUrl.protocol)) {
    throw new InputError("--sparql", url, "must be an http or https URL");
  }
  const login = loginOf(queryUrl);
  const endpoint = createSparqlEndpoint({ queryUrl, login: login && (async () => login) });
  try {
    return (await sparqlPublishedSets(endpoint).isPublished(set)) ? useHarvester : undefined;
  } catch (error) {
    if (error instanceof RemoteError) return checkError("http", error.message);
    throw error;
  } finally {
    await endpoint.close();
  }
}

/** Removes the login from a URL and returns it: `https://user:password@host/`. */
function loginOf(url: URL): { user: string; password: string } | undefined {
  if (url.username === "" && url.password === "") return undefined;
  const login = { user: decodeText(url.username), password: decodeText(url.password) };
  url.username = "";
  url.password = "";
  return login;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function asJson(url: string, result: CheckResult): object {
  if (result.type === "count") return { url, count: result.count };
  return { url, error: { type: result.error, message: result.message } };
}

/** Shows the number of records read so far on the last line of a terminal. */
class CheckProgressLine {
  private readonly terminal: Output | undefined;

  constructor(output: Output) {
    this.terminal = output.isTTY ? output : undefined;
  }

  update({ records, of }: CheckProgress): void {
    this.terminal?.write(`\r\x1b[K${records}${of === undefined ? "" : ` of ${of}`} records read`);
  }

  clear(): void {
    this.terminal?.write("\r\x1b[K");
  }
}

function parse(args: string[]) {
  return parseArguments(args, {
    ark: { type: "string" },
    sparql: { type: "string" },
    delay: { type: "string", default: String(defaultDelayMs) },
    "allow-private": { type: "boolean", default: false },
    "user-agent": { type: "string" },
    json: { type: "boolean", default: false },
  });
}
