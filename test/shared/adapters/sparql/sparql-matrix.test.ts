import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { Store } from "oxigraph";
import { afterEach, describe, expect, it } from "vitest";
import { createSparqlEndpoint } from "../../../../shared/adapters/sparql/sparql-endpoint.ts";
import { parseCheckedSet } from "../../../../shared/check-set/checked-set.ts";
import { askWhetherPublished, registerPublished } from "../../../../shared/check-set/set-sparql.ts";
import { listen } from "../../../listen.ts";

type Form = "form" | "direct" | "url";

interface Asked {
  form: Form;
  query: string;
  accept: string;
}

interface Answer {
  status?: number;
  type?: string;
  body: string;
}

/** An engine, as its documents describe how it answers. */
interface Engine {
  takes: readonly Form[];
  /** What it says to the other forms. */
  refuses: Answer;
  answers(result: boolean, accept: string): Answer;
}

const json = (result: boolean) => ({
  type: "application/sparql-results+json",
  body: JSON.stringify({ head: {}, boolean: result }),
});
const xml = (result: boolean) => ({
  type: "application/sparql-results+xml;charset=UTF-8",
  body: `<?xml version='1.0' encoding='UTF-8'?>\n<sparql xmlns='http://www.w3.org/2005/sparql-results#'>\n\t<head>\n\t</head>\n\t<boolean>${result}</boolean>\n</sparql>`,
});

/**
 * @see https://www.w3.org/TR/sparql11-protocol/#query-operation
 * @see https://rdf4j.org/documentation/reference/rest-api/ GraphDB serves the same, `text/boolean` included
 * @see https://jena.apache.org/documentation/fuseki2/fuseki-server-protocol.html
 * @see https://github.com/openlink/virtuoso-opensource/issues/464 `__ASK_RETVAL`
 * @see https://github.com/openlink/virtuoso-opensource/issues/1016
 * @see https://docs.qlever.dev/
 */
const engines: Record<string, Engine> = {
  GraphDB: {
    takes: ["form", "url"],
    refuses: { status: 415, body: "Unsupported Content-Type" },
    answers: (result) => ({ type: "text/boolean", body: String(result) }),
  },
  "RDF4J, XML": { takes: ["form", "direct", "url"], refuses: { status: 415, body: "" }, answers: xml },
  Fuseki: {
    takes: ["form", "direct", "url"],
    refuses: { status: 415, body: "" },
    answers: (result) => ({
      type: "application/sparql-results+json",
      body: `{ \n  "head" : {\n    \n  } ,\n  "boolean" : ${result}\n}\n`,
    }),
  },
  "Virtuoso, with a variable in JSON": {
    takes: ["form", "url"],
    refuses: { status: 400, body: "Virtuoso 37000 Error SP030: SPARQL compiler, line 0: syntax error" },
    answers: (result) => ({
      type: "application/sparql-results+json",
      body: `{ "head": { "link": [], "vars": ["__ASK_RETVAL"] }, "results": { "distinct": false, "ordered": true, "bindings": [${
        result
          ? '{ "__ASK_RETVAL": { "type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "1" }}'
          : ""
      }]}}`,
    }),
  },
  "Virtuoso, with a variable in XML": {
    takes: ["url"],
    // It takes an unknown form for a visitor, and shows its query page.
    refuses: {
      type: "text/html",
      body: "<!DOCTYPE html><html><body>Virtuoso SPARQL Query Editor<br></body></html>",
    },
    answers: (result) => ({
      type: "application/sparql-results+xml",
      body: `<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="__ASK_RETVAL"/></head><results distinct="false" ordered="true"><result><binding name="__ASK_RETVAL"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">${result ? 1 : 0}</literal></binding></result></results></sparql>`,
    }),
  },
  QLever: {
    takes: ["direct", "url"],
    refuses: { status: 400, body: '{"exception":"the content-type is not supported"}' },
    answers: json,
  },
  "Oxigraph, only in the URL": { takes: ["url"], refuses: { status: 405, body: "" }, answers: json },
};

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves an engine over a store of Oxigraph, by the letter of the protocol. */
async function serve(engine: () => Engine, store: Store): Promise<{ url: URL; asked: Asked[] }> {
  const asked: Asked[] = [];
  server = createServer(async (incoming, outgoing) => {
    const { form, query } = await readQuery(incoming);
    const accept = incoming.headers.accept ?? "";
    asked.push({ form, query, accept });
    const { takes, refuses, answers } = engine();
    const answer = takes.includes(form) ? answers(store.query(query) as boolean, accept) : refuses;
    outgoing
      .writeHead(answer.status ?? 200, { "content-type": answer.type ?? "text/plain" })
      .end(answer.body);
  });
  return { url: new URL("/sparql", await listen(server)), asked };
}

async function readQuery(incoming: IncomingMessage): Promise<{ form: Form; query: string }> {
  const body = await text(incoming);
  const { searchParams } = new URL(incoming.url ?? "/", "http://localhost");
  if (incoming.method === "GET") return { form: "url", query: searchParams.get("query") ?? "" };
  if (incoming.headers["content-type"] === "application/sparql-query") return { form: "direct", query: body };
  return { form: "form", query: new URLSearchParams(body).get("query") ?? "" };
}

const list = (spec: string) => `https://oai.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${spec}`;
const questionOf = (spec: string) => askWhetherPublished(parseCheckedSet(list(spec)));

/** A store in which the set `roach` is published. */
function published(): Store {
  const store = new Store();
  const set = { sourceId: "s", service: "https://oai.example/oai", spec: "roach", metadataPrefix: "oai_dc" };
  store.update(registerPublished(set, ["primo"]));
  return store;
}

describe.each(Object.entries(engines))("%s", (_name, engine) => {
  it("a published set, and another → yes and no; the form it takes is found once", async () => {
    const { url, asked } = await serve(() => engine, published());
    const endpoint = createSparqlEndpoint({ queryUrl: url });
    expect(await endpoint.ask(questionOf("roach"))).toBe(true);
    const tried = asked.length;
    expect(await endpoint.ask(questionOf("roach2"))).toBe(false);
    await endpoint.close();
    const [form] = (["form", "direct", "url"] as const).filter((each) => engine.takes.includes(each));
    expect(asked.at(-1)?.form).toBe(form);
    expect(asked.length).toBe(tried + 1);
    expect(asked.map(({ accept }) => accept)).toEqual(
      asked.map(() => expect.stringMatching(/sparql-results\+json.*sparql-results\+xml.*text\/boolean/)),
    );
  });
});

describe("an endpoint", () => {
  it("that no longer takes its form → the others are tried again, and remembered", async () => {
    let engine: Engine = { takes: ["direct"], refuses: { status: 415, body: "" }, answers: json };
    const { url, asked } = await serve(() => engine, published());
    const endpoint = createSparqlEndpoint({ queryUrl: url });
    await endpoint.ask(questionOf("roach"));
    engine = { ...engine, takes: ["url"] };
    await endpoint.ask(questionOf("roach"));
    await endpoint.ask(questionOf("roach"));
    await endpoint.close();
    expect(asked.map(({ form }) => form)).toEqual(["form", "direct", "direct", "form", "url", "url"]);
  });

  it("that takes no form → its first refusal, after each was tried once", async () => {
    const { url, asked } = await serve(
      () => ({ takes: [], refuses: { status: 400, body: "parse error" }, answers: json }),
      published(),
    );
    const endpoint = createSparqlEndpoint({ queryUrl: url });
    await expect(endpoint.ask(questionOf("roach"))).rejects.toThrow(/answered 400 "parse error"/);
    await endpoint.close();
    expect(asked.map(({ form }) => form)).toEqual(["form", "direct", "url"]);
  });

  it.each([500, 503, 403, 404])("that answers %i → is asked once", async (status) => {
    const { url, asked } = await serve(
      () => ({ takes: [], refuses: { status, body: "no" }, answers: json }),
      published(),
    );
    const endpoint = createSparqlEndpoint({ queryUrl: url });
    await expect(endpoint.ask(questionOf("roach"))).rejects.toThrow(`answered ${status}`);
    await endpoint.close();
    expect(asked.length).toBe(1);
  });
});
