import { html, raw } from "hono/html";
import type { DemoRecord } from "./oai-records.ts";

/** The number of records per page. */
const pageSize = 5;

interface RepositoryState {
  /** The base URL. */
  baseUrl: string;
  /** Returns the URL of a record's file. */
  fileUrl(number: number): string;
  records: DemoRecord[];
  now: Date;
}

type Arguments = Readonly<Record<string, string>>;

class OaiFault extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The arguments of each verb: required and optional ones. */
const verbs: Readonly<
  Record<
    string,
    { required: string[]; optional: string[]; answer: (args: Arguments, state: RepositoryState) => unknown }
  >
> = {
  Identify: { required: [], optional: [], answer: (_, state) => identify(state) },
  ListMetadataFormats: {
    required: [],
    optional: ["identifier"],
    answer: (args, state) => listFormats(args, state),
  },
  ListSets: { required: [], optional: ["resumptionToken"], answer: listSets },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], answer: getRecord },
  ListIdentifiers: {
    required: ["metadataPrefix"],
    optional: ["from", "until", "set"],
    answer: (args, state) => list("ListIdentifiers", args, state),
  },
  ListRecords: {
    required: ["metadataPrefix"],
    optional: ["from", "until", "set"],
    answer: (args, state) => list("ListRecords", args, state),
  },
};

/**
 * Responds to a request in accordance with the OAI-PMH 2.0 specification: pages of five records, two sets,
 * deleted records that are kept permanently, datestamps in seconds.
 * @returns the XML document
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html
 */
export function answerOai(query: URLSearchParams, state: RepositoryState): string {
  const args = Object.fromEntries(query);
  let content: unknown;
  let shown: Arguments = args;
  try {
    if ([...query].length > Object.keys(args).length)
      throw new OaiFault("badArgument", "an argument is repeated");
    content = answer(args, state);
  } catch (error) {
    if (!(error instanceof OaiFault)) throw error;
    // With wrong arguments, the response must show the request without arguments.
    if (error.code === "badVerb" || error.code === "badArgument") shown = {};
    content = html`<error code="${error.code}">${error.message}</error>`;
  }
  const attributes = Object.entries(shown).map(([name, value]) => html` ${raw(name)}="${value}"`);
  return String(html`${raw('<?xml version="1.0" encoding="UTF-8"?>')}
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>${seconds(state.now)}</responseDate><request${attributes}>${state.baseUrl}</request>${content}</OAI-PMH>`);
}

function answer({ verb = "", ...args }: Arguments, state: RepositoryState): unknown {
  const known = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (known === undefined) throw new OaiFault("badVerb", "the verb is missing or unknown");
  const names = Object.keys(args);
  const isList = verb === "ListRecords" || verb === "ListIdentifiers";
  if (isList && args.resumptionToken !== undefined) {
    if (names.length > 1) throw new OaiFault("badArgument", "resumptionToken is an exclusive argument");
    return known.answer(args, state);
  }
  const unknown = names.find((name) => ![...known.required, ...known.optional].includes(name));
  if (unknown !== undefined) throw new OaiFault("badArgument", `${verb} has no argument ${unknown}`);
  const missing = known.required.find((name) => args[name] === undefined);
  if (missing !== undefined) throw new OaiFault("badArgument", `${missing} is missing`);
  return known.answer(args, state);
}

function identify({ baseUrl, records }: RepositoryState) {
  const earliest = Math.min(...records.map(({ changed }) => changed.getTime()));
  return html`<Identify><repositoryName>Lantern and Lathe Papers</repositoryName><baseURL>${baseUrl}</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>papers@example.org</adminEmail><earliestDatestamp>${seconds(new Date(earliest))}</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>`;
}

function listFormats({ identifier }: Arguments, state: RepositoryState) {
  if (identifier !== undefined) findRecord(identifier, state);
  return html`<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema><metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat></ListMetadataFormats>`;
}

function listSets({ resumptionToken }: Arguments) {
  if (resumptionToken !== undefined)
    throw new OaiFault("badResumptionToken", "the list of sets has one page");
  return html`<ListSets><set><setSpec>essays</setSpec><setName>Essays</setName></set><set><setSpec>patterns</setSpec><setName>Patterns</setName></set></ListSets>`;
}

function getRecord({ identifier = "", metadataPrefix }: Arguments, state: RepositoryState) {
  const record = findRecord(identifier, state);
  assertFormat(metadataPrefix);
  return html`<GetRecord>${recordElement(record, state)}</GetRecord>`;
}

function list(verb: "ListRecords" | "ListIdentifiers", args: Arguments, state: RepositoryState) {
  const { from = 0, wanted } =
    args.resumptionToken === undefined ? { wanted: args } : readToken(args.resumptionToken);
  assertFormat(wanted.metadataPrefix);
  const listed = select(wanted, state);
  if (listed.length === 0) throw new OaiFault("noRecordsMatch", "no record matches");
  const page = listed.slice(from, from + pageSize);
  if (page.length === 0) throw new OaiFault("badResumptionToken", "the token has expired");
  const next = from + pageSize;
  const token = next < listed.length ? `${next}!${new URLSearchParams(wanted)}` : "";
  const isPaged = listed.length > pageSize;
  const resumption = isPaged
    ? html`<resumptionToken completeListSize="${listed.length}" cursor="${from}">${token}</resumptionToken>`
    : "";
  const elements = page.map((record) =>
    verb === "ListRecords" ? recordElement(record, state) : header(record),
  );
  return html`<${raw(verb)}>${elements}${resumption}</${raw(verb)}>`;
}

function readToken(token: string): { from: number; wanted: Arguments } {
  const [, from, query] = /^(\d{1,9})!(.+)$/s.exec(token) ?? [];
  if (from === undefined || query === undefined)
    throw new OaiFault("badResumptionToken", "the token is unknown");
  return { from: Number(from), wanted: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the matching records, in the order of their last change. */
function select({ from, until, set }: Arguments, { records }: RepositoryState): DemoRecord[] {
  for (const date of [from, until]) {
    if (
      date !== undefined &&
      (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(date) || Number.isNaN(Date.parse(date)))
    )
      throw new OaiFault("badArgument", `${date} is not a date`);
  }
  if (from !== undefined && until !== undefined && (from.length !== until.length || from > until))
    throw new OaiFault("badArgument", "from and until differ in precision, or from is later than until");
  const stamp = ({ changed }: DemoRecord, like: string) => seconds(changed).slice(0, like.length);
  return records
    .filter((record) => from === undefined || from.slice(0, 19) <= stamp(record, from).slice(0, 19))
    .filter((record) => until === undefined || stamp(record, until).slice(0, 19) <= until.slice(0, 19))
    .filter((record) => set === undefined || record.set === set)
    .toSorted((a, b) => a.changed.getTime() - b.changed.getTime());
}

function findRecord(identifier: string, { records }: RepositoryState): DemoRecord {
  const record = records.find(({ number }) => identifierOf(number) === identifier);
  if (record === undefined) throw new OaiFault("idDoesNotExist", `there is no ${identifier}`);
  return record;
}

function assertFormat(metadataPrefix: string | undefined): void {
  if (metadataPrefix !== "oai_dc")
    throw new OaiFault("cannotDisseminateFormat", "records are available as oai_dc");
}

const identifierOf = (number: number) => `oai:papers.example.org:${number}`;

function header({ number, changed, set, isDeleted }: DemoRecord) {
  const status = isDeleted ? raw(' status="deleted"') : "";
  return html`<header${status}><identifier>${identifierOf(number)}</identifier><datestamp>${seconds(changed)}</datestamp><setSpec>${set}</setSpec></header>`;
}

function recordElement(record: DemoRecord, { fileUrl }: RepositoryState) {
  const { number, title, creator, changed, isDeleted } = record;
  if (isDeleted) return html`<record>${header(record)}</record>`;
  return html`<record>${header(record)}<metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>${creator}</dc:creator><dc:date>${seconds(changed).slice(0, 10)}</dc:date><dc:type>article</dc:type><dc:language>eng</dc:language><dc:identifier>doi:10.5555/papers.${number}</dc:identifier><dc:relation>ark:/99999/lamps${number % 3}</dc:relation><dc:relation>${fileUrl(number)}</dc:relation></oai_dc:dc></metadata></record>`;
}

/** Formats a time with the granularity of the repository. */
function seconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
