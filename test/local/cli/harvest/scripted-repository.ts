import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listen } from "../../../listen.ts";

/** One response of a script. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Ends the connection in the middle of the body. */
  cut?: true;
}

/**
 * Answers a request by its arguments, and by its `method` if it is not a GET; `nth` counts the requests with the same
 * arguments, from 1.
 */
export type Script = (args: Readonly<Record<string, string>>, nth: number) => Answer | string;

interface ScriptedRepository {
  baseUrl: string;
  /** The queries so far, decoded, without `verb=ListRecords`. */
  requested: string[];
}

/** A repository on loopback that responds by a script; without robots.txt. */
export async function scriptedRepository(script: Script): Promise<ScriptedRepository> {
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const posted = new URLSearchParams(await text(request));
    if (url.pathname === "/robots.txt") {
      response.writeHead(404).end();
      return;
    }
    const args = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(posted) };
    const { verb, ...rest } = args;
    const shown = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
    const method = request.method === "GET" ? "" : `${request.method} `;
    const query = `${method}${[...(verb === "ListRecords" ? [] : [`verb=${verb}`]), ...shown].join("&")}`;
    requested.push(query);
    const nth = requested.filter((each) => each === query).length;
    const answer = script(method === "" ? args : { ...args, method: method.trim() }, nth);
    const {
      status = 200,
      headers = {},
      body = "",
      cut,
    } = typeof answer === "string" ? { body: answer } : answer;
    response.writeHead(status, { "content-type": "text/xml; charset=utf-8", ...headers });
    if (!cut) response.end(body);
    else {
      response.write(body);
      setImmediate(() => response.destroy());
    }
  });
  const origin = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `${origin}/oai`, requested };
}

/** A response of OAI-PMH. */
export function envelope(content: string, responseDate = "2026-05-01T10:00:00Z"): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>${responseDate}</responseDate><request>http://x/oai</request>${content}</OAI-PMH>`;
}

export const errorPage = (...codes: string[]) =>
  envelope(codes.map((code) => `<error code="${code}">said so</error>`).join(""));

export function record(
  id: string,
  { title = `Title ${id}`, deleted = false, datestamp = "2026-04-01" } = {},
): string {
  const header = `<header${deleted ? ' status="deleted"' : ""}><identifier>${id}</identifier><datestamp>${datestamp}</datestamp><setSpec>s1</setSpec></header>`;
  const metadata = `<metadata><dc:dc xmlns:dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:e="http://purl.org/dc/elements/1.1/"><e:title>${title}</e:title></dc:dc></metadata>`;
  return `<record>${header}${deleted ? "" : metadata}</record>`;
}

/** A page of ListRecords. @param token undefined: the page has no resumptionToken element */
export function listPage(records: string[], token?: string, attributes = ""): string {
  const resumption = token === undefined ? "" : `<resumptionToken ${attributes}>${token}</resumptionToken>`;
  return envelope(`<ListRecords>${records.join("")}${resumption}</ListRecords>`);
}

/** The response to GetRecord of a repository that has these records. */
export function getRecord(ids: Iterable<string>, identifier = ""): string {
  return [...ids].includes(identifier)
    ? envelope(`<GetRecord>${record(identifier)}</GetRecord>`)
    : errorPage("idDoesNotExist");
}

/** Pages of a list by token; the first has the token "". Each letter is a record. */
export function pagesOf(...pages: string[]): Script {
  return ({ verb, resumptionToken = "", identifier }) => {
    if (verb === "GetRecord") return getRecord(pages.join(""), identifier);
    const at = resumptionToken === "" ? 0 : Number(resumptionToken);
    const letters = pages[at];
    if (letters === undefined) return errorPage("badResumptionToken");
    const token = at + 1 < pages.length ? String(at + 1) : "";
    return listPage(
      [...letters].map((letter) => record(letter)),
      token,
    );
  };
}
