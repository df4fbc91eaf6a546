import { InputError } from "../../../shared/core/errors.ts";
import { readOaiAnswer } from "../../../shared/formats/oai/answer.ts";
import { describeErrors } from "../../../shared/formats/oai/completeness.ts";
import { startList } from "../../../shared/formats/oai/list-state.ts";
import type { OaiIdentity, OaiMetadataFormat, OaiPage, OaiSet } from "../../../shared/formats/oai/page.ts";
import { type OaiLocation, oaiRequestUrl, parseOaiUrl } from "../../../shared/formats/oai/request-url.ts";
import type { CheckedRepository } from "../../../shared/harvest/repository-check/checkup.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { adviseOnPrivate } from "../../private-host.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { InProcessGate } from "../harvest/in-process-gate.ts";
import { fetchOai, type OaiTarget } from "../harvest/oai-exchange.ts";
import { readOaiList } from "../harvest/oai-list.ts";
import type { Command, CommandIo } from "./command.ts";
import { checkRepository } from "./oai-check.ts";
import { type OaiOptions, oaiOptions, oaiOptionsUsage, openOaiGate, parseOaiOptions } from "./oai-options.ts";
import { printable } from "./printable.ts";
import { parseWholeNumber } from "./whole-number-option.ts";

/** The default number of pages of the list that a check reads. */
const defaultPages = 5;
const maxPages = 10_000;

const usage = `npx ingather oai URL identify|sets|formats|check [options]

Describes or checks an OAI-PMH repository. URL is its base URL, or the URL of any request to it.

  identify         its name, its policy for deleted records, its granularity
  sets             its sets: spec and name
  formats          its metadata formats: prefix, namespace and schema
  check            violations of the protocol, the quality of its metadata, and suitable settings for a source

  --prefix PREFIX  check: the metadata format of the list (default oai_dc)
  --set SPEC       check: only this set
  --pages N        check: read at most this number of pages of the list (default ${defaultPages})
${oaiOptionsUsage}
  --help           show this

Exit code: 0 response received, 1 no response, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM.
Exit code of check: 0 no finding above info, 1 warnings, 3 errors, or the check is incomplete.
`;

/** The reply of a repository, as lines for people and as JSON, or the reason why there is none. */
type Reply = { type: "answered"; lines: string[]; json: unknown } | { type: "failed"; reason: string };

type Ask = (gate: InProcessGate, target: OaiTarget) => Promise<Reply>;

const questions: Readonly<Record<string, Ask>> = {
  identify: async (gate, target) =>
    once(await ask(oaiRequestUrl(target.baseUrl, "Identify"), gate, target), ({ identity }) =>
      identity === undefined
        ? { type: "failed", reason: "the response has no Identify element" }
        : { type: "answered", lines: identityLines(identity), json: identity },
    ),
  sets: listSets,
  formats: async (gate, target) =>
    once(await ask(oaiRequestUrl(target.baseUrl, "ListMetadataFormats"), gate, target), ({ formats }) => ({
      type: "answered",
      lines: formats.map(formatLine),
      json: formats,
    })),
};

export const oaiCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      ...oaiOptions,
      prefix: { type: "string" },
      set: { type: "string" },
      pages: { type: "string" },
    });
    const options = parseOaiOptions(values);
    const { location, question } = parsePositionals(positionals);
    const asked = parseCheck(location, values);
    if (question !== "check" && (values.prefix ?? values.set ?? values.pages) !== undefined)
      throw new InputError("--prefix, --set, --pages", positionals[1], "are permitted only with check");
    const { gate, target, close } = openOaiGate(location.baseUrl, options, io);
    try {
      if (question === "check") return await checkRepository(asked, { gate, target, options }, io);
      return write(await question(gate, target), options, io);
    } catch (error) {
      if (io.signal.aborted) return stoppedExitCode(io.signal);
      throw error;
    } finally {
      await close();
    }
  },
};

/** @throws InputError */
function parsePositionals([url = "", name = "", ...more]: string[]): {
  location: OaiLocation;
  question: Ask | "check";
} {
  const location = parseOaiUrl(url);
  if (location === undefined)
    throw new InputError("URL", url, "must be the http(s) URL of an OAI-PMH repository");
  const question = name === "check" ? name : Object.hasOwn(questions, name) ? questions[name] : undefined;
  if (question === undefined || more.length > 0) {
    throw new InputError("arguments", [name, ...more].join(" "), "must be identify, sets, formats or check");
  }
  return { location, question };
}

/** Returns the options of a check. Options override the arguments of a pasted URL. @throws InputError */
function parseCheck(
  { baseUrl, args }: OaiLocation,
  { prefix, set = args.set, pages }: { prefix?: string; set?: string; pages?: string },
): CheckedRepository {
  return {
    baseUrl,
    metadataPrefix: prefix ?? args.metadataPrefix ?? "oai_dc",
    ...(set !== undefined && { set }),
    pages: pages === undefined ? defaultPages : parseWholeNumber("--pages", pages, { min: 1, max: maxPages }),
  };
}

function write(reply: Reply, { json, allowPrivate }: OaiOptions, { stdout, stderr }: CommandIo): number {
  if (reply.type === "failed") {
    stderr.write(`${printable(adviseOnPrivate(reply.reason, allowPrivate))}\n`);
    return 1;
  }
  stdout.write(
    json ? `${JSON.stringify(reply.json)}\n` : reply.lines.map((line) => `${printable(line)}\n`).join(""),
  );
  return 0;
}

async function ask(url: string, gate: InProcessGate, target: OaiTarget) {
  const { outcome, body } = await fetchOai({ url }, gate, target);
  return readOaiAnswer(outcome, body, {});
}

function once(answer: Awaited<ReturnType<typeof ask>>, read: (page: OaiPage) => Reply): Reply {
  if (answer.type === "unusable") return { type: "failed", reason: answer.reason };
  const { page } = answer;
  return page.errors.length > 0 ? { type: "failed", reason: describeErrors(page) } : read(page);
}

/** Lists all sets. The list may have several pages. */
async function listSets(gate: InProcessGate, target: OaiTarget): Promise<Reply> {
  const sets: OaiSet[] = [];
  for await (const transition of readOaiList(startList("ListSets", {}), { gate, target, wish: {} })) {
    if (transition.type === "again") continue;
    const { page } = transition;
    if (page?.errors.some(({ code }) => code === "noSetHierarchy")) {
      return { type: "answered", lines: ["The repository has no sets."], json: [] };
    }
    sets.push(...(page?.sets ?? []));
    if (transition.type === "end" && transition.completeness.type === "interrupted") {
      return { type: "failed", reason: transition.completeness.reason };
    }
  }
  return { type: "answered", lines: sets.map(({ spec, name }) => `${spec}  ${name}`.trimEnd()), json: sets };
}

function identityLines(identity: OaiIdentity): string[] {
  const rows: [string, string][] = [
    ["name", identity.repositoryName],
    ["base URL", identity.baseUrl],
    ["protocol", identity.protocolVersion],
    ["earliest record", identity.earliestDatestamp],
    ["deleted records", identity.deletedRecord],
    ["granularity", identity.granularity],
    ["compression", identity.compressions.join(", ")],
    ["contact", identity.adminEmails.join(", ")],
  ];
  return rows.filter(([, value]) => value !== "").map(([name, value]) => `${name.padEnd(16)} ${value}`);
}

function formatLine({ prefix, namespace, schema }: OaiMetadataFormat): string {
  return `${prefix.padEnd(16)} ${namespace}  ${schema}`.trimEnd();
}
