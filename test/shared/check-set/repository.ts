import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../../listen.ts";

export interface ScriptedAnswer {
  status?: number;
  body: string | Uint8Array;
  headers?: Record<string, string>;
  /** What the answer waits for. */
  after?: Promise<void> | undefined;
}

/** A server on the loopback interface that answers by a function, which a test may replace. */
export async function startRepository() {
  const requests: string[] = [];
  const repository = {
    answer: (_url: URL, _incoming: IncomingMessage): ScriptedAnswer | "reset" => ({ status: 404, body: "" }),
    requests,
    origin: "",
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", repository.origin);
    if (url.pathname === "/robots.txt") return outgoing.writeHead(404).end();
    requests.push(incoming.url ?? "");
    const reply = repository.answer(url, incoming);
    if (reply === "reset") return incoming.socket.destroy();
    await reply.after;
    return outgoing
      .writeHead(reply.status ?? 200, { "content-type": "text/xml", ...reply.headers })
      .end(reply.body);
  });
  repository.origin = await listen(server);
  return repository;
}

const oaiDc =
  'xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"';

/** A record with these elements of Dublin Core. */
export function record(identifier: string | number, elements = ""): string {
  return `<record><header><identifier>oai:r:${identifier}</identifier><datestamp>2026-01-01</datestamp></header><metadata><oai_dc:dc ${oaiDc}><dc:title>T</dc:title>${elements}</oai_dc:dc></metadata></record>`;
}

export const relation = (text: string) => `<dc:relation>${text}</dc:relation>`;

export function oai(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-22T00:00:00Z</responseDate><request>http://elsewhere.example/oai</request>${content}</OAI-PMH>`;
}

export function list(records: string, token?: string, attributes = ""): string {
  const end = token === undefined ? "" : `<resumptionToken${attributes}>${token}</resumptionToken>`;
  return oai(`<ListRecords>${records}${end}</ListRecords>`);
}

export const oaiError = (code: string, text = "") => `<error code="${code}">${text}</error>`;
