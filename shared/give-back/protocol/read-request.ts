import { isDatestamp } from "../../formats/oai/datestamp.ts";
import { type OaiVerb, oaiVerbs } from "../../formats/oai/page.ts";
import { formatOf } from "../formats/formats.ts";

/** The errors of the protocol. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ErrorConditions */
export type FaultCode =
  | "badVerb"
  | "badArgument"
  | "badResumptionToken"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noRecordsMatch"
  | "noMetadataFormats";

/** An error in a request, which is the content of its response. */
export interface OaiFault {
  type: "fault";
  code: FaultCode;
  message: string;
}

export type ListVerb = "ListRecords" | "ListIdentifiers";

/** The arguments of a request by their names, each once. */
export type OaiArguments = Readonly<Record<string, string>>;

/** A request whose arguments fit its verb. */
export type OaiRequest =
  | { verb: "Identify" }
  | { verb: "ListMetadataFormats"; identifier?: string }
  | { verb: "ListSets"; resumptionToken?: string }
  | { verb: "GetRecord"; identifier: string; metadataPrefix: string }
  | { verb: ListVerb; resumptionToken: string }
  | { verb: ListVerb; metadataPrefix: string; set?: string; from?: string; until?: string };

export function fault(code: FaultCode, message: string): OaiFault {
  return { type: "fault", code, message };
}

interface ArgumentRule {
  required: readonly string[];
  optional: readonly string[];
  /** Whether a resumption token may replace all other arguments. */
  resumes?: true;
}

const list: ArgumentRule = {
  required: ["metadataPrefix"],
  optional: ["from", "until", "set"],
  resumes: true,
};

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ProtocolMessages */
const rules: Readonly<Record<OaiVerb, ArgumentRule>> = {
  Identify: { required: [], optional: [] },
  ListMetadataFormats: { required: [], optional: ["identifier"] },
  ListSets: { required: [], optional: [], resumes: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [] },
  ListIdentifiers: list,
  ListRecords: list,
};

/** The characters of a metadataPrefix and of a part of a setSpec. */
const isName = /^[A-Za-z0-9\-_.!~*'()]+$/;
const isSetSpec = /^[A-Za-z0-9\-_.!~*'()]+(:[A-Za-z0-9\-_.!~*'()]+)*$/;

/**
 * Reads the arguments of a request.
 * @returns a fault for a verb or an argument that is missing, unknown, repeated or malformed
 */
export function readRequest(parameters: URLSearchParams): OaiRequest | OaiFault {
  const verbs = parameters.getAll("verb");
  const verb = oaiVerbs.find((each) => each === verbs[0]);
  if (verb === undefined || verbs.length > 1) {
    return fault("badVerb", `verb: must be one of ${oaiVerbs.join(", ")}, given once`);
  }
  const { verb: _verb, ...args } = Object.fromEntries(parameters);
  const problem = findArgumentProblem(verb, [...parameters.keys()], args);
  if (problem !== undefined) return fault("badArgument", problem);
  const { metadataPrefix } = args;
  if (metadataPrefix !== undefined && formatOf(metadataPrefix) === undefined) {
    return fault("cannotDisseminateFormat", `metadataPrefix: there is no format ${metadataPrefix}`);
  }
  // The arguments are those of the verb, by the table of rules.
  return { verb, ...args } as OaiRequest;
}

function findArgumentProblem(
  verb: OaiVerb,
  given: readonly string[],
  args: OaiArguments,
): string | undefined {
  const { required, optional, resumes } = rules[verb];
  const repeated = given.find((name, index) => given.indexOf(name) !== index);
  if (repeated !== undefined) return `${repeated}: is given twice`;
  const isResumed = resumes && args.resumptionToken !== undefined;
  const permitted = isResumed ? ["resumptionToken"] : [...required, ...optional];
  const unknown = Object.keys(args).find((name) => !permitted.includes(name));
  if (unknown !== undefined) {
    return isResumed ? `resumptionToken: excludes ${unknown}` : `${unknown}: is not an argument of ${verb}`;
  }
  const missing = isResumed ? undefined : required.find((name) => args[name] === undefined);
  if (missing !== undefined) return `${missing}: is missing`;
  return findValueProblem(args);
}

function findValueProblem({ metadataPrefix, set, from, until }: OaiArguments): string | undefined {
  if (metadataPrefix !== undefined && !isName.test(metadataPrefix)) return "metadataPrefix: is not a name";
  if (set !== undefined && !isSetSpec.test(set)) return "set: is not a setSpec";
  for (const [name, date] of Object.entries({ from, until })) {
    if (date !== undefined && !isDatestamp(date)) {
      return `${name}: must be YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ`;
    }
  }
  if (from === undefined || until === undefined) return undefined;
  if (from.length !== until.length) return "from, until: must have the same granularity";
  return from > until ? "from: is later than until" : undefined;
}
