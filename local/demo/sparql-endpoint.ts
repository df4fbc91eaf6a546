import { once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Store } from "oxigraph";

export interface LocalSparqlEndpoint {
  /** The URL for queries and updates. */
  url: string;
  close(): Promise<void>;
}

/** The operation of a request. */
type Operation = { type: "query" | "update"; text: string };

/**
 * Starts a SPARQL 1.1 endpoint on the loopback interface. It supports ASK and updates, with a store in
 * memory.
 * @param options.port 0 selects a free port
 * @param options.file stores the data as N-Quads; it is read at the start and replaced after each update
 * @param options.seed an update that is applied at each start
 * @throws Error (`EADDRINUSE`) if the port is taken
 * @see https://www.w3.org/TR/sparql11-protocol/
 */
export async function startSparqlEndpoint(options: {
  port?: number;
  file?: string;
  seed?: string;
}): Promise<LocalSparqlEndpoint> {
  const { port = 0, file, seed } = options;
  const store = new Store();
  if (file !== undefined && existsSync(file))
    store.load(readFileSync(file, "utf8"), { format: "application/n-quads" });
  if (seed !== undefined) store.update(seed);
  const server = createServer(async (incoming, outgoing) => {
    const operation = await readOperation(incoming);
    if (operation === undefined) return respond(outgoing, 400, "text/plain", "neither a query nor an update");
    try {
      if (operation.type === "query") return answerAsk(outgoing, store.query(operation.text));
      store.update(operation.text);
      if (file !== undefined) replaceFile(file, store.dump({ format: "application/n-quads" }));
      return respond(outgoing, 204, "text/plain", "");
    } catch (error) {
      return respond(outgoing, 400, "text/plain", error instanceof Error ? error.message : String(error));
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sparql`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Reads an operation in any of the three forms of the protocol: in the URL, as a form, or as the body. */
async function readOperation(incoming: IncomingMessage): Promise<Operation | undefined> {
  const inUrl = new URL(incoming.url ?? "/", "http://127.0.0.1").searchParams;
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]?.trim();
  const body = await text(incoming);
  if (type === "application/sparql-query") return { type: "query", text: body };
  if (type === "application/sparql-update") return { type: "update", text: body };
  const form = type === "application/x-www-form-urlencoded" ? new URLSearchParams(body) : inUrl;
  const query = form.get("query");
  const update = incoming.method === "POST" ? form.get("update") : null;
  if (query !== null) return { type: "query", text: query };
  return update === null ? undefined : { type: "update", text: update };
}

/** @see https://www.w3.org/TR/sparql11-results-json/#ask-result-form */
function answerAsk(outgoing: ServerResponse, result: unknown): void {
  if (typeof result === "boolean") {
    const body = JSON.stringify({ head: {}, boolean: result });
    respond(outgoing, 200, "application/sparql-results+json", body);
  } else respond(outgoing, 501, "text/plain", "only ASK queries are supported");
}

function respond(outgoing: ServerResponse, status: number, contentType: string, body: string): void {
  outgoing.writeHead(status, { "content-type": contentType }).end(status === 204 ? undefined : body);
}

/** Replaces a file atomically, so that a killed process leaves either the old or the new content. */
function replaceFile(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
