import { metadataFormats } from "../formats/formats.ts";
import { inSeconds, keyRange } from "../log/change-key.ts";
import type { LogState } from "../log/change-log.ts";
import { allItems, searchSet, setNameOf } from "../sets/set-spec.ts";
import { listItems } from "./list-items.ts";
import { identifierOf, itemIdOf, type ProviderPorts } from "./provider-ports.ts";
import { isAvailable, metadataOf } from "./read-content.ts";
import { fault, type OaiFault, type OaiRequest, readRequest } from "./read-request.ts";
import { type ListPosition, readToken, writeToken } from "./resumption-token.ts";
import { textElement, writeListEnd, writeRecord, writeResponse } from "./write-response.ts";

/** Sorts before each setSpec. DynamoDB has no empty keys. */
const beforeAllSets = " ";

/** The number of sets of a page. */
const setsPerPage = 200;

/**
 * Answers a request to the repository.
 * @param parameters the arguments of a GET or POST
 * @returns the XML document
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html
 */
export async function answerRequest(parameters: URLSearchParams, ports: ProviderPorts): Promise<string> {
  const { log, repository, clock } = ports;
  const state = await log.state();
  // The next list of a harvester begins at this time. Until the log states a later time, changes may get this one.
  const responseDate = state?.asOf ?? inSeconds(clock.now());
  const request = readRequest(parameters);
  const content = "verb" in request ? await answerVerb(request, state, ports) : request;
  const isUnread =
    typeof content === "object" && (content.code === "badVerb" || content.code === "badArgument");
  return writeResponse({
    responseDate,
    baseUrl: repository.baseUrl,
    args: isUnread ? undefined : Object.fromEntries(parameters),
    content,
  });
}

async function answerVerb(
  request: OaiRequest,
  state: LogState | undefined,
  ports: ProviderPorts,
): Promise<string | OaiFault> {
  switch (request.verb) {
    case "Identify":
      return identify(state, ports);
    case "ListMetadataFormats":
      return listFormats(request.identifier, state, ports);
    case "ListSets":
      return listSets(request.resumptionToken, state, ports);
    case "GetRecord":
      return getRecord(request, state, ports);
    default: {
      if (state === undefined) {
        return "resumptionToken" in request ? badToken() : fault("noRecordsMatch", "there are no records");
      }
      const position = positionOf(request, state);
      return "type" in position ? position : listItems(position, state, ports);
    }
  }
}

function badToken(): OaiFault {
  return fault("badResumptionToken", "resumptionToken: is not a token of this repository for this verb");
}

/** Returns where a list begins or continues. */
function positionOf(
  request: Extract<OaiRequest, { verb: "ListRecords" | "ListIdentifiers" }>,
  { key: seen = "", tokenKey }: LogState,
): ListPosition | OaiFault {
  const { verb } = request;
  if ("resumptionToken" in request) {
    const position = readToken(request.resumptionToken, tokenKey);
    return position === undefined || position.verb === "ListSets" || position.verb !== verb
      ? badToken()
      : position;
  }
  const { metadataPrefix, set, from, until } = request;
  const range = keyRange({ from: wholeDay(from, "T00:00:00Z"), until: wholeDay(until, "T23:59:59Z") });
  return {
    verb,
    metadataPrefix,
    list: set ?? allItems,
    from: range.from,
    until: range.until < seen ? range.until : seen,
    seen,
    cursor: 0,
  };
}

/** Converts a day to a time in seconds. */
function wholeDay(date: string | undefined, time: string): string | undefined {
  return date === undefined || date.includes("T") ? date : `${date}${time}`;
}

function identify(state: LogState | undefined, { repository, clock }: ProviderPorts): string {
  const { name, baseUrl, email } = repository;
  const earliest = state?.startedAt ?? inSeconds(clock.now());
  const texts: [string, string][] = [
    ["repositoryName", name],
    ["baseURL", baseUrl],
    ["protocolVersion", "2.0"],
    ["adminEmail", email],
    ["earliestDatestamp", earliest],
    ["deletedRecord", "persistent"],
    ["granularity", "YYYY-MM-DDThh:mm:ssZ"],
    ["compression", "gzip"],
  ];
  return `<Identify>${texts.map(([each, text]) => textElement(each, text)).join("")}</Identify>`;
}

async function findItem(identifier: string, state: LogState | undefined, { log, repository }: ProviderPorts) {
  const itemId = itemIdOf(identifier, repository);
  const [version] =
    itemId === undefined || state?.key === undefined ? [] : await log.latest([itemId], state.key);
  return version ?? fault("idDoesNotExist", `identifier: there is no record ${identifier}`);
}

async function listFormats(
  identifier: string | undefined,
  state: LogState | undefined,
  ports: ProviderPorts,
): Promise<string | OaiFault> {
  const item = identifier === undefined ? undefined : await findItem(identifier, state, ports);
  if (item !== undefined && "code" in item) return item;
  const available = await Promise.all(
    metadataFormats.map(({ prefix }) => item === undefined || isAvailable(item, prefix, ports)),
  );
  const formats = metadataFormats.filter((_, index) => available[index]);
  if (formats.length === 0) return fault("noMetadataFormats", "the record is deleted");
  const elements = formats.map(
    ({ prefix, schema, namespace }) =>
      `<metadataFormat>${textElement("metadataPrefix", prefix)}${textElement("schema", schema)}${textElement("metadataNamespace", namespace)}</metadataFormat>`,
  );
  return `<ListMetadataFormats>${elements.join("")}</ListMetadataFormats>`;
}

async function getRecord(
  { identifier, metadataPrefix }: Extract<OaiRequest, { verb: "GetRecord" }>,
  state: LogState | undefined,
  ports: ProviderPorts,
): Promise<string | OaiFault> {
  const item = await findItem(identifier, state, ports);
  if ("code" in item) return item;
  const { itemId, key, sets, isDeleted } = item;
  const metadata = await metadataOf(item, metadataPrefix, ports);
  if (metadata === undefined && !isDeleted) {
    return fault("cannotDisseminateFormat", `${identifier} is not available as ${metadataPrefix}`);
  }
  const header = { identifier: identifierOf(itemId, ports.repository), key, sets, isDeleted };
  return `<GetRecord>${writeRecord(header, metadata)}</GetRecord>`;
}

/** Lists the sets that have ever had a record. The set for searches is always there, so the list is never empty. */
async function listSets(
  resumptionToken: string | undefined,
  state: LogState | undefined,
  { log }: ProviderPorts,
): Promise<string | OaiFault> {
  const tokenKey = state?.tokenKey ?? "";
  const position =
    resumptionToken === undefined
      ? { verb: "ListSets" as const, after: beforeAllSets, cursor: 0 }
      : state && readToken(resumptionToken, tokenKey);
  if (position?.verb !== "ListSets") return badToken();
  const { after, cursor } = position;
  const isFirst = cursor === 0;
  const found = await log.sets({ after, limit: setsPerPage + 1 });
  const page = found.slice(0, setsPerPage);
  const specs = isFirst ? [searchSet, ...page] : page;
  const last = page.at(-1);
  const hasNext = found.length > setsPerPage && last !== undefined;
  const next = hasNext
    ? writeToken({ verb: "ListSets", after: last, cursor: cursor + specs.length }, tokenKey)
    : undefined;
  const elements = specs.map(
    (spec) => `<set>${textElement("setSpec", spec)}${textElement("setName", setNameOf(spec))}</set>`,
  );
  return `<ListSets>${elements.join("")}${writeListEnd({ token: next, cursor })}</ListSets>`;
}
