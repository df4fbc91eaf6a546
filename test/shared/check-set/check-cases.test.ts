import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { type LocalSparqlEndpoint, startSparqlEndpoint } from "../../../local/demo/sparql-endpoint.ts";
import { useHarvester } from "../../../shared/check-set/check-result.ts";
import { registerPublished } from "../../../shared/check-set/set-sparql.ts";
import { runCommand } from "../../local/cli/commands/run-command.ts";
import { list, oai, oaiError, record, relation, type ScriptedAnswer, startRepository } from "./repository.ts";

type Pages = Record<string, ScriptedAnswer | string | "reset">;

let repository: Awaited<ReturnType<typeof startRepository>>;
let sparql: LocalSparqlEndpoint;
/** All XML that the command printed. */
const printed: string[] = [];

beforeAll(async () => {
  repository = await startRepository();
  const published = {
    sourceId: "matsura",
    service: `${repository.origin}/oai`,
    spec: "matsura",
    metadataPrefix: "oai_dc",
  };
  sparql = await startSparqlEndpoint({ seed: registerPublished(published, ["primo"]) });
});
afterAll(async () => {
  await repository.close();
  await sparql.close();
});
beforeEach(() => repository.requests.splice(0));

/** Checks a set whose pages are answered by their tokens; the first has none. */
async function check(pages: Pages | string, options: { path?: string; args?: string[] } = {}) {
  const { path = "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=roach", args = [] } = options;
  repository.answer = (url) => {
    const page = typeof pages === "string" ? pages : pages[url.searchParams.get("resumptionToken") ?? ""];
    if (page === undefined) return { body: oai(oaiError("badResumptionToken", "no such token")) };
    return page === "reset" ? "reset" : typeof page === "string" ? { body: page } : page;
  };
  const url = path.startsWith("/") ? repository.origin + path : path;
  const run = await runCommand([
    "check-set",
    url,
    "--allow-private",
    "--delay",
    "0",
    "--user-agent",
    "t (+https://t.test)",
    ...args,
  ]);
  if (run.stdout.startsWith("<?xml")) printed.push(run.stdout);
  return { ...run, ...summary(run.stdout) };
}

function summary(xml: string): { url: string | undefined; found: string } {
  const [, url, found = xml] = /<set><url>(.*?)<\/url>(.*)<\/set>/s.exec(xml) ?? [];
  return { url, found };
}

const error = (type: string, message: string) => `<error type="${type}">${message}</error>`;
const count = (number: number) => `<count>${number}</count>`;
const ark = relation("https://archiveswest.orbiscascade.org/ark:/80444/xv43658");
const some = (from: number, to: number, elements = ark) =>
  Array.from({ length: to - from }, (_, index) => record(from + index, elements)).join("");

describe("the examples of the documentation", () => {
  it("81 objects with an ARK → their number", async () => {
    const run = await check({ "": list(some(0, 50), "t1"), t1: list(some(50, 81) + some(81, 90, ""), "") });
    expect(run).toMatchObject({ found: count(81), code: 0 });
    expect(run.url).toBe(`${repository.origin}/oai?verb=ListRecords&amp;metadataPrefix=oai_dc&amp;set=roach`);
  });

  it("no metadataPrefix → the repository's own words", async () => {
    const said =
      'The request includes illegal arguments, repeated arguments, or is missing required arguments. "metadataPrefix"';
    const run = await check(oai(oaiError("badArgument", said)), { path: "/oai?verb=ListRecords&set=roach" });
    expect(run).toMatchObject({ found: error("oai-pmh", said), code: 1 });
    expect(repository.requests).toEqual(["/oai?verb=ListRecords&set=roach"]);
  });

  it("RDF → not OAI-PMH", async () => {
    const rdf =
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF>';
    const run = await check(rdf, { path: "/id/rome.rdf" });
    expect(run).toMatchObject({ found: error("other", "The response is XML, but not OAI-PMH."), code: 1 });
  });

  it("a published set → use the harvester; the set is not read", async () => {
    const run = await check(list(some(0, 1)), {
      path: "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=matsura",
      args: ["--sparql", sparql.url],
    });
    const words =
      "This set has been published with a doap:audience of 'primo' and/or 'dpla' already. Please resubmit through the Harvester backend.";
    expect(run).toMatchObject({ found: error("use-harvester", words), code: 1 });
    expect(repository.requests).toEqual([]);
  });

  it("an HTML page → not well-formed", async () => {
    const html = '<!doctype html><html itemscope=""><head><meta charset="utf-8"></head></html>';
    const run = await check({ "": { body: html, headers: { "content-type": "text/html" } } }, { path: "/" });
    const words = "The markup in the document preceding the root element must be well-formed.";
    expect(run).toMatchObject({ found: error("http", words), code: 1 });
  });
});

const sixty = Object.fromEntries(
  Array.from({ length: 60 }, (_, page) => [
    page === 0 ? "" : `p${page}`,
    list(some(2 * page, 2 * page + 2), page < 59 ? `p${page + 1}` : "", ' completeListSize="120"'),
  ]),
);

describe("a set", () => {
  it.each<[string, Pages | string, string]>([
    ["one page without a token", list(some(0, 3)), count(3)],
    ["one page with an empty token", list(some(0, 3), ""), count(3)],
    ["60 pages", sixty, count(120)],
    ["an empty list", list(""), count(0)],
    ["records without a relation", list(some(0, 3, "")), count(0)],
    ["relations without an ARK", list(some(0, 3, relation("Roach Collection"))), count(0)],
    ["two ARKs in a record → one", list(some(0, 1, ark + relation("ark:/1/2"))), count(1)],
    ["dcterms:relation", list(some(0, 2, "<dcterms:relation>ark:/80444/xv1</dcterms:relation>")), count(2)],
    ["an ARK in another element", list(some(0, 2, "<dc:source>ark:/80444/xv1</dc:source>")), count(0)],
    [
      "relation in another namespace",
      list(some(0, 2, '<x:relation xmlns:x="urn:x">ark:/80444/xv1</x:relation>')),
      count(0),
    ],
    [
      "a deleted record",
      list(`<record><header status="deleted"><identifier>1</identifier></header></record>${some(1, 2)}`),
      count(1),
    ],
    [
      "references and CDATA",
      list(some(0, 1, "<dc:relation><![CDATA[ark:]]>/80444/x&#118;1</dc:relation>")),
      count(1),
    ],
    [
      "a token with reserved characters",
      { "": list(some(0, 1), "a+b/c=d&amp;e f#?%41"), "a+b/c=d&e f#?%41": list(some(1, 2)) },
      count(2),
    ],
    ["tokens with spaces around", { "": list(some(0, 1), "\n t1 \n"), t1: list(some(1, 2)) }, count(2)],
    [
      "one oai:error",
      oai(oaiError("noRecordsMatch", "Nothing matches")),
      error("oai-pmh", "Nothing matches"),
    ],
    [
      "two oai:errors",
      oai(oaiError("badArgument", "A") + oaiError("badVerb", "B")),
      error("oai-pmh", "A; B"),
    ],
    ["an oai:error without text", oai(oaiError("badVerb")), error("oai-pmh", "badVerb")],
    [
      "markup in an oai:error",
      oai(oaiError("badVerb", "&lt;b&gt; &amp; ]]&gt;")),
      error("oai-pmh", "&lt;b&gt; &amp; ]]&gt;"),
    ],
    [
      "an error on page 3",
      {
        "": list(some(0, 2), "t1"),
        t1: list(some(2, 4), "t2"),
        t2: oai(oaiError("badResumptionToken", "expired")),
      },
      error("oai-pmh", "expired"),
    ],
    [
      "noRecordsMatch on page 2 → no short count",
      { "": list(some(0, 2), "t1"), t1: oai(oaiError("noRecordsMatch", "none left")) },
      error("oai-pmh", "none left"),
    ],
    [
      "HTML on page 2",
      { "": list(some(0, 2), "t1"), t1: "<html><p>Sorry<br></html>" },
      error("http", "&lt;br&gt; is closed by &lt;/html&gt;"),
    ],
    ["a repeated token", { "": list(some(0, 2), "t1"), t1: list(some(0, 2), "t1") }, "repeats its pages"],
    [
      "a loop of three pages",
      { "": list(some(0, 1), "a"), a: list(some(1, 2), "b"), b: list(some(2, 3), "a") },
      "repeats its pages",
    ],
    ["a token forever without records", { "": list("", "t1"), t1: list("", "t1") }, "repeats its pages"],
    ["an empty body", "", error("http", "the response is empty")],
    [
      "a text",
      "Internal error",
      error("http", "The markup in the document preceding the root element must be well-formed."),
    ],
    [
      "XHTML",
      '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
      error("other", "The response is XML, but not OAI-PMH."),
    ],
    [
      "the wrong namespace",
      '<OAI-PMH xmlns="http://www.openarchives.org/OAI/1.1/"/>',
      error("other", "The response is XML, but not OAI-PMH."),
    ],
    [
      "no namespace",
      "<OAI-PMH><ListRecords/></OAI-PMH>",
      error("other", "The response is XML, but not OAI-PMH."),
    ],
    [
      "Identify in the place of a list",
      oai("<Identify/>"),
      error("other", "The response is OAI-PMH, but not a list of records."),
    ],
    [
      "headers alone",
      oai("<ListIdentifiers/>"),
      error("other", "The response is OAI-PMH, but not a list of records."),
    ],
    ["a bare &", list(some(0, 1, "<dc:title>A & B</dc:title>")), error("http", "the text has a bare &amp;")],
    [
      "a control character",
      list(some(0, 1, "<dc:title>\u0003</dc:title>")),
      error("http", "the character U+0003 is not allowed"),
    ],
    ["a truncated page", list(some(0, 2)).slice(0, -40), "ends within"],
    [
      "text after the end",
      `${list(some(0, 2))}\nNotice: x`,
      error("http", "there is text after the root element"),
    ],
    ["404", { "": { status: 404, body: "<html/>" } }, "answered 404"],
    ["403", { "": { status: 403, body: "" } }, "answered 403"],
    [
      "422 with an oai:error → an answer of OAI-PMH",
      { "": { status: 422, body: oai(oaiError("noRecordsMatch", "none")) } },
      error("oai-pmh", "none"),
    ],
    [
      "400 with an oai:error on page 2 → no short count",
      { "": list(some(0, 2), "t1"), t1: { status: 400, body: oai(oaiError("badResumptionToken", "old")) } },
      error("oai-pmh", "old"),
    ],
    [
      "503 with an oai:error → http goes before oai-pmh",
      { "": { status: 503, body: oai(oaiError("noRecordsMatch", "none")) } },
      "answered 503",
    ],
    ["422 without OAI-PMH → http", { "": { status: 422, body: "<html/>" } }, "answered 422"],
    ["404 with RDF → http goes before other", { "": { status: 404, body: "<rdf/>" } }, "answered 404"],
    [
      "a redirect → the answer behind it",
      {
        "": { status: 302, body: "", headers: { location: "/oai?resumptionToken=there" } },
        there: list(some(0, 4)),
      },
      count(4),
    ],
    [
      "declared ISO-8859-1",
      {
        "": {
          body: Buffer.from(
            list(some(0, 1, `${ark}<dc:title>é</dc:title>`)).replace("UTF-8", "ISO-8859-1"),
            "latin1",
          ),
        },
      },
      count(1),
    ],
    [
      "invalid UTF-8",
      { "": { body: Buffer.from(list(some(0, 1, "<dc:title>é</dc:title>")), "latin1") } },
      error("http", "it is not valid UTF-8"),
    ],
    [
      "fewer records than announced → no short count",
      { "": list(some(0, 1), "t1", ' completeListSize="9"'), t1: list(some(1, 2)) },
      error("other", "The list ended after 2 of the 9 records that it announced; 2 of them have an ARK."),
    ],
    [
      "a list of one page, which announces the whole repository → its records",
      { "": list(some(0, 2), "", ' completeListSize="9"') },
      count(2),
    ],
    [
      "more records than announced → all",
      { "": list(some(0, 2), "t1", ' completeListSize="3"'), t1: list(some(2, 4)) },
      count(4),
    ],
  ])("%s", async (_title, pages, expected) => {
    const { found, code } = await check(pages);
    if (expected.startsWith("<")) expect(found).toBe(expected);
    else expect(found).toContain(expected);
    expect(code).toBe(found.startsWith("<count>") ? 0 : 1);
  });

  it.each([
    ["reset connections", "reset" as const, "no answer"],
    ["500", { status: 500, body: "down" }, "answered 500"],
  ])("%s → http, after a second attempt", async (_title, answer, expected) => {
    const { found } = await check({ "": answer });
    expect(found).toMatch(/^<error type="http">/);
    expect(found).toContain(expected);
    expect(repository.requests.length).toBe(2);
  });

  it("60 pages → each requested once, from the given base URL", async () => {
    await check(sixty);
    expect(repository.requests).toHaveLength(60);
    expect(repository.requests[59]).toBe("/oai?verb=ListRecords&resumptionToken=p59");
  });

  it.each([
    ["ark:/80444/xv43658", 2],
    ["ark:80444/xv43658", 2],
    ["ark:/80444/xv4365", 1],
    ["ark:/80444/xv4", 0],
  ])("--ark %s → %i objects", async (wanted, expected) => {
    const pages = list(some(0, 2) + some(2, 3, relation("ark:/80444/xv4365")));
    expect((await check(pages, { args: ["--ark", wanted] })).found).toBe(count(expected));
  });
});

describe("the URL", () => {
  it.each([
    ["no set → the service alone", "/oai?verb=ListRecords&metadataPrefix=oai_dc", useHarvester.message],
    ["the set of another name", "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=matsura2", count(2)],
    ["the beginning of the name", "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=matsur", count(2)],
    ["offset= beside no set", "/oai?verb=ListRecords&metadataPrefix=oai_dc&offset=matsura", count(2)],
    ["offset= beside the set", "/oai?verb=ListRecords&offset=5&metadataPrefix=oai_dc&set=matsura", count(2)],
    ["another service", "/oai2?verb=ListRecords&metadataPrefix=oai_dc&set=matsura", count(2)],
    [
      "another order, another prefix",
      "/oai?set=matsura&metadataPrefix=mods&verb=ListRecords",
      useHarvester.message,
    ],
    [
      "an encoded character in the set",
      "/oai?verb=ListRecords&set=mats%75ra&metadataPrefix=oai_dc",
      useHarvester.message,
    ],
    ["a regular expression as the set", "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=.*", count(2)],
    [
      "a quote and an operator as the set",
      "/oai?verb=ListRecords&set=x%22)%20||%20true%20||%20(%22",
      count(2),
    ],
    ["an apostrophe and a brace as the set", "/oai?verb=ListRecords&set=x'}%20ASK%20{}%23", count(2)],
    ["a backslash as the set", "/oai?verb=ListRecords&set=%5C%22%5Cu0022)", count(2)],
    ["a line end as the set", "/oai?verb=ListRecords&set=x%0A%22)", count(2)],
    ["an injection in the path", "/oai%22)||true||(%22?verb=ListRecords&set=roach", count(2)],
  ])("%s", async (_title, path, expected) => {
    const { found } = await check(list(some(0, 2)), { path, args: ["--sparql", sparql.url] });
    expect(found).toContain(expected);
  });

  it.each([
    ["doubly encoded → decoded again", (url: string) => encodeURIComponent(url)],
    ["with spaces around", (url: string) => `  ${url} `],
    ["with a fragment", (url: string) => `${url}#top`],
  ])("%s", async (_title, write) => {
    const url = `${repository.origin}/oai?verb=ListRecords&metadataPrefix=oai_dc&set=roach`;
    expect((await check(list(some(0, 2)), { path: write(url) })).found).toBe(count(2));
    expect(repository.requests).toEqual(["/oai?verb=ListRecords&metadataPrefix=oai_dc&set=roach"]);
  });

  it.each([
    [["www.google.com"], "set: must be an http or https URL"],
    [["ftp://a.example/oai?verb=ListRecords"], "set: must be an http or https URL"],
    [["https://a.example/oai?verb=Identify"], "its verb is Identify"],
    [["https://a.example/oai?verb=ListRecords&resumptionToken=x"], "has a resumptionToken"],
    [["https://a.example/oai?verb=Listrecords"], "its verb is Listrecords"],
    [[" "], "is empty"],
    [[], "URL: must be one URL"],
    [["https://a.example/", "https://b.example/"], "URL: must be one URL"],
    [["https://a.example/", "--ark", "xv43658"], "ark: must be an ARK, as in ark:/80444/xv43658"],
    [["https://a.example/", "--ark", 'ark:/80444/x" } #'], "ark: must be an ARK"],
    [["https://a.example/", "--sparql", "nowhere"], "--sparql: must be an http or https URL"],
    [["https://a.example/", "--delay", "-1"], "delay"],
    [["https://a.example/", "--frobnicate"], "frobnicate"],
  ])("%j → wrong use", async (args, expected) => {
    const { code, stderr, stdout } = await runCommand(["check-set", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(expected);
  });

  it("a private host that is not allowed → not requested", async () => {
    const { stdout, code } = await runCommand(["check-set", `${repository.origin}/oai?verb=ListRecords`]);
    expect(stdout).toContain('<error type="http">not fetched');
    expect({ code, requests: repository.requests }).toEqual({ code: 1, requests: [] });
  });

  it("credentials in the URL → neither sent nor printed", async () => {
    const path = `${repository.origin.replace("//", "//me:secret@")}/oai?verb=ListRecords`;
    const { url, found } = await check(list(some(0, 1)), { path });
    expect(found).toBe(count(1));
    expect(url).not.toContain("secret");
  });
});

describe("a SPARQL endpoint that", () => {
  it.each([
    ["is garbage", { body: "<html>" }, "which is not the result of an ASK query"],
    ["says null", { body: "null" }, "which is not the result of an ASK query"],
    ["says no boolean", { body: '{"boolean":"false"}' }, "which is not the result of an ASK query"],
    ["fails", { status: 500, body: "out of memory" }, "answered 500"],
    ["wants a login", { status: 401, body: "" }, "answered 401"],
    ["resets the connection", "reset" as const, "gave no response"],
  ])("%s → http, saying which; never a count", async (_title, answer, expected) => {
    const broken = await startRepository();
    broken.answer = () => answer;
    const { found, code } = await check(list(some(0, 2)), {
      args: ["--sparql", `${broken.origin}/ds/query`],
    });
    await broken.close();
    expect(found).toContain(`<error type="http">the SPARQL endpoint ${broken.origin}/ds/query`);
    expect(found).toContain(expected);
    expect(code).toBe(1);
    expect(repository.requests).toEqual([]);
  });

  it("the login in the URL of the endpoint → is sent, and not shown", async () => {
    const guarded = await startRepository();
    guarded.answer = (_url, { headers }) =>
      headers.authorization === `Basic ${Buffer.from("me:a b").toString("base64")}`
        ? { body: '{"boolean":true}' }
        : { status: 401, body: "" };
    const url = (password: string) => guarded.origin.replace("//", `//me:${password}@`);
    const accepted = await check(list(some(0, 2)), { args: ["--sparql", url("a%20b")] });
    const refused = await check(list(some(0, 2)), { args: ["--sparql", url("wrong")] });
    await guarded.close();
    expect(accepted.found).toMatch(/^<error type="use-harvester">/);
    expect(refused.found).toContain("answered 401");
    expect(refused.stdout + refused.stderr).not.toContain("wrong");
  });

  it("is not there → http, saying which", async () => {
    const gone = await startRepository();
    await gone.close();
    const { found } = await check(list(some(0, 2)), { args: ["--sparql", gone.origin] });
    expect(found).toContain(`<error type="http">the SPARQL endpoint ${gone.origin}/ gave no response`);
  });
});

describe("the output", () => {
  it("--json → one object", async () => {
    const { stdout } = await check(list(some(0, 2)), { args: ["--json"] });
    expect(JSON.parse(stdout)).toEqual({ url: expect.stringContaining("set=roach"), count: 2 });
    const failed = await check("", { args: ["--json"] });
    expect(JSON.parse(failed.stdout)).toMatchObject({
      error: { type: "http", message: "the response is empty" },
    });
  });

  it("every answer is valid by the schema", async () => {
    const contents = readFileSync(join(import.meta.dirname, "../../../docs/check-set.xsd"), "utf8");
    const xml = [
      ...new Set(printed),
      "<set><url/><progress><records>5</records><of>9</of></progress></set>",
    ].map((text, index) => ({ fileName: `${index}.xml`, contents: text }));
    expect(xml.length).toBeGreaterThan(40);
    const schema = [{ fileName: "check-set.xsd", contents }];
    expect((await validateXML({ xml, schema })).errors.map(({ rawMessage }) => rawMessage)).toEqual([]);
    const wrong = await validateXML({
      xml: [{ fileName: "wrong.xml", contents: '<set><url/><error type="html">x</error></set>' }],
      schema,
    });
    expect(wrong.valid).toBe(false);
  });
});
