import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../../listen.ts";

/** A record that the repository holds. */
interface Held {
  identifier: string;
  datestamp: string;
  isDeleted: boolean;
  set: string;
}

/** What the repository was asked, as it understood it. */
export interface Asked {
  verb: string;
  token: string | undefined;
  /** The place in the list where the page begins. */
  place: number;
  /** Counts the requests with this token, from 1. */
  nth: number;
  /** Counts all requests, from 1. */
  count: number;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Settings {
  granularity?: "YYYY-MM-DD" | "YYYY-MM-DDThh:mm:ssZ";
  /** The prefix of the protocol's namespace; none when absent. */
  prefix?: string;
  namespace?: string;
  /** completeListSize of a list of `size` records; none for undefined. */
  announce?: (size: number, place: number) => string | number | undefined;
  /** The attribute of all tokens. */
  expirationDate?: string;
  hasEmptyLastToken?: boolean;
  /** Spoils a reply. */
  spoil?: (reply: Reply, asked: Asked, repository: StrictRepository) => Reply | undefined;
}

const legalArguments: Readonly<Record<string, readonly string[]>> = {
  Identify: [],
  ListSets: ["resumptionToken"],
  ListMetadataFormats: ["identifier"],
  GetRecord: ["identifier", "metadataPrefix"],
  ListIdentifiers: ["from", "until", "set", "metadataPrefix", "resumptionToken"],
  ListRecords: ["from", "until", "set", "metadataPrefix", "resumptionToken"],
};

const pageSize = 10;
const escapeXml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** 25 records, one per hour; each tenth is deleted, and each other one is in the set `odd`. */
function heldRecords(): Held[] {
  return Array.from({ length: 25 }, (_, n) => ({
    identifier: `oai:strict.example:${n}`,
    datestamp: `${new Date(Date.UTC(2024, 0, 1, n)).toISOString().slice(0, 19)}Z`,
    isDeleted: n % 10 === 7,
    set: n % 2 === 1 ? "odd" : "even:more",
  }));
}

/**
 * A second implementation of a repository, written from the specification before its author had seen the client. It
 * answers what the specification demands, and notes each request that the specification forbids.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html
 */
export class StrictRepository {
  records = heldRecords();
  /** What was wrong with requests, in their order. */
  readonly objections: string[] = [];
  readonly asked: Asked[] = [];
  baseUrl = "";
  private readonly settings: Settings;

  constructor(settings: Settings = {}) {
    this.settings = settings;
  }

  reply(query: URLSearchParams): Reply {
    const args = new Map(query);
    const verb = args.get("verb") ?? "";
    args.delete("verb");
    const token = args.get("resumptionToken");
    const state = token === undefined ? undefined : readToken(token);
    const nth = this.asked.filter((before) => before.token === token).length + 1;
    const asked = { verb, token, place: state?.place ?? 0, nth, count: this.asked.length + 1 };
    this.asked.push(asked);
    const objection = this.objectionTo(verb, args, query);
    if (objection !== undefined) this.objections.push(`${objection[0]}: ${objection[1]} (${query})`);
    const body = objection ? this.error(...objection) : this.answer(verb, args, state ?? args);
    const reply = { status: 200, headers: { "content-type": "text/xml; charset=utf-8" }, body };
    return this.settings.spoil?.(reply, asked, this) ?? reply;
  }

  /** The document of an answer. `~` before a name stands for the prefix of the protocol's namespace. */
  envelope(content: string): string {
    const { prefix, namespace = "http://www.openarchives.org/OAI/2.0/" } = this.settings;
    const declaration = prefix === undefined ? "xmlns" : `xmlns:${prefix}`;
    const document = `<?xml version="1.0" encoding="UTF-8"?>
<~OAI-PMH ${declaration}="${namespace}"><~responseDate>2024-05-01T10:00:00Z</~responseDate><~request>${this.baseUrl}</~request>${content}</~OAI-PMH>`;
    return document.replace(/(?<=<\/?)~/g, prefix === undefined ? "" : `${prefix}:`);
  }

  error(code: string, message = ""): string {
    return this.envelope(`<~error code="${code}">${escapeXml(message)}</~error>`);
  }

  private objectionTo(
    verb: string,
    args: ReadonlyMap<string, string>,
    query: URLSearchParams,
  ): [string, string] | undefined {
    const legal = legalArguments[verb];
    if (legal === undefined) return ["badVerb", verb];
    const names = [...query.keys()];
    const illegal = names.find((name) => name !== "verb" && !legal.includes(name));
    if (illegal !== undefined) return ["badArgument", `${illegal} is illegal`];
    if (new Set(names).size < names.length) return ["badArgument", "an argument is repeated"];
    const token = args.get("resumptionToken");
    if (token !== undefined) {
      if (args.size > 1) return ["badArgument", "resumptionToken is exclusive"];
      return readToken(token) ? undefined : ["badResumptionToken", token];
    }
    if (legal.includes("metadataPrefix") && !args.has("metadataPrefix")) {
      return ["badArgument", "metadataPrefix is missing"];
    }
    return this.objectionToDates(args.get("from"), args.get("until"));
  }

  private objectionToDates(from?: string, until?: string): [string, string] | undefined {
    const hasSeconds = this.settings.granularity !== "YYYY-MM-DD";
    const isLegal = (date: string) =>
      /^\d{4}-\d\d-\d\d$/.test(date) || (hasSeconds && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date));
    const wrong = [from, until].find((date) => date !== undefined && !isLegal(date));
    if (wrong !== undefined) return ["badArgument", `${wrong} is not of our granularity`];
    if (from === undefined || until === undefined) return undefined;
    if (from.length !== until.length) return ["badArgument", "from and until differ in granularity"];
    return from > until ? ["badArgument", "from is after until"] : undefined;
  }

  private answer(verb: string, args: ReadonlyMap<string, string>, list: ListOf): string {
    switch (verb) {
      case "Identify": {
        const { granularity = "YYYY-MM-DDThh:mm:ssZ" } = this.settings;
        return this.envelope(
          `<~Identify><~repositoryName>Strict</~repositoryName><~baseURL>${this.baseUrl}</~baseURL><~protocolVersion>2.0</~protocolVersion><~adminEmail>a@strict.example</~adminEmail><~earliestDatestamp>2024-01-01</~earliestDatestamp><~deletedRecord>persistent</~deletedRecord><~granularity>${granularity}</~granularity></~Identify>`,
        );
      }
      case "ListSets":
        return this.envelope(
          "<~ListSets><~set><~setSpec>odd</~setSpec><~setName>Odd</~setName></~set></~ListSets>",
        );
      case "ListRecords":
        return this.page(list, list instanceof Map ? 0 : (list as TokenState).place);
      default:
        return this.error(
          verb === "GetRecord" ? "idDoesNotExist" : "noMetadataFormats",
          args.get("identifier"),
        );
    }
  }

  private page(list: ListOf, place: number): string {
    const of = (name: string) => list.get(name);
    if (of("metadataPrefix") !== "oai_dc") return this.error("cannotDisseminateFormat");
    const [from, until, set] = [of("from"), of("until"), of("set")];
    const all = this.records.filter(
      (each) =>
        (from === undefined || each.datestamp.slice(0, from.length) >= from) &&
        (until === undefined || each.datestamp.slice(0, until.length) <= until) &&
        (set === undefined || each.set === set || each.set.startsWith(`${set}:`)),
    );
    if (place >= all.length) return this.error(place > 0 ? "badResumptionToken" : "noRecordsMatch");
    const records = all.slice(place, place + pageSize).map((each) => this.record(each));
    return this.envelope(
      `<~ListRecords>${records.join("")}${this.token(list, place, all.length)}</~ListRecords>`,
    );
  }

  private record({ identifier, datestamp, isDeleted, set }: Held): string {
    const stamp = this.settings.granularity === "YYYY-MM-DD" ? datestamp.slice(0, 10) : datestamp;
    const status = isDeleted ? ' status="deleted"' : "";
    const header = `<~header${status}><~identifier>${identifier}</~identifier><~datestamp>${stamp}</~datestamp><~setSpec>${set}</~setSpec></~header>`;
    const metadata = `<~metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Käthe &amp; ${identifier}</dc:title></oai_dc:dc></~metadata>`;
    return `<~record>${header}${isDeleted ? "" : metadata}</~record>`;
  }

  private token(list: ListOf, place: number, size: number): string {
    if (size <= pageSize) return "";
    const { announce = (all: number) => all, expirationDate, hasEmptyLastToken = true } = this.settings;
    const announced = announce(size, place);
    const attributes = [
      ` cursor="${place}"`,
      announced === undefined ? "" : ` completeListSize="${announced}"`,
      expirationDate === undefined ? "" : ` expirationDate="${expirationDate}"`,
    ].join("");
    const next = place + pageSize;
    if (next < size) return `<~resumptionToken${attributes}>${writeToken(list, next)}</~resumptionToken>`;
    return hasEmptyLastToken ? `<~resumptionToken${attributes}/>` : "";
  }
}

/** The arguments of a list, of its first request or kept in a token. */
type ListOf = Pick<ReadonlyMap<string, string>, "get">;

class TokenState {
  readonly place: number;
  private readonly args: ReadonlyMap<string, string>;

  constructor(place: number, args: ReadonlyMap<string, string>) {
    this.place = place;
    this.args = args;
  }

  get(name: string): string | undefined {
    return this.args.get(name);
  }
}

const listArguments = ["metadataPrefix", "set", "from", "until"];

/** A token in Base64: `=`, `+` and `/` must be encoded in a URL. */
export function writeToken(list: ListOf, place: number): string {
  const args = listArguments.flatMap((name) => {
    const value = list.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Buffer.from(JSON.stringify([place, args])).toString("base64");
}

function readToken(token: string): TokenState | undefined {
  try {
    const [place, args] = JSON.parse(Buffer.from(token, "base64").toString());
    return new TokenState(place, new Map(args));
  } catch {
    return undefined;
  }
}

/** Serves a repository on loopback, without robots.txt. */
export async function serveStrictly(repository: StrictRepository): Promise<StrictRepository> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    if (url.pathname === "/robots.txt") {
      response.writeHead(404).end();
      return;
    }
    const { status, headers, body } = repository.reply(url.searchParams);
    response.writeHead(status, headers).end(body);
  });
  repository.baseUrl = `${await listen(server)}/oai`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return repository;
}
