import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { InProcessGate } from "../../../../local/cli/harvest/in-process-gate.ts";
import { readOaiList } from "../../../../local/cli/harvest/oai-list.ts";
import type { Completeness } from "../../../../shared/formats/oai/completeness.ts";
import { startList } from "../../../../shared/formats/oai/list-state.ts";
import type { ListArguments } from "../../../../shared/formats/oai/request-url.ts";
import { allowingHostsOf } from "../../../../shared/web/address/admit-url.ts";
import {
  type Answer,
  envelope,
  errorPage,
  listPage,
  pagesOf,
  record,
  type Script,
  scriptedRepository,
} from "./scripted-repository.ts";

/** A gate without delays, for one repository. */
function openGate(baseUrl: string) {
  const userAgent = "Ingather/test";
  const gate = new InProcessGate({
    addresses: allowingHostsOf([new URL(baseUrl)]),
    userAgent,
    delays: { defaultDelayMs: 0, maxDelayMs: 0, hostDelays: {} },
    signal: new AbortController().signal,
    backoffBaseMs: 1,
  });
  onTestFinished(() => gate.close());
  return { gate, target: { baseUrl, delayMs: 0, userAgent } };
}

/** Reads a scripted list to its end. */
async function readList(script: Script, args: ListArguments = { metadataPrefix: "oai_dc" }) {
  const { baseUrl, requested } = await scriptedRepository(script);
  const { gate, target } = openGate(baseUrl);
  const read = { ids: "", titles: [] as string[], flaws: [] as string[], requested };
  let completeness: Completeness | undefined;
  const wish = { values: ({ local }: { local: string }) => local === "title" };
  for await (const step of readOaiList(startList("ListRecords", args), { gate, target, wish })) {
    if (step.type === "again") continue;
    read.ids += (step.page?.records ?? []).map(({ identifier }) => identifier).join("");
    read.titles.push(...(step.page?.records ?? []).flatMap(({ values }) => values.map(({ text }) => text)));
    if (step.flaw !== undefined) read.flaws.push(step.flaw);
    if (step.type === "end") completeness = step.completeness;
  }
  return { ...read, completeness };
}

const complete = { type: "complete" };
const first = "metadataPrefix=oai_dc";
const page = (letters: string, token?: string, attributes?: string) =>
  listPage(
    [...letters].map((letter) => record(letter)),
    token,
    attributes,
  );

/** The script of a list whose second page is answered so, the nth time it is requested. */
const secondPage =
  (answer: (nth: number) => Answer | string): Script =>
  ({ resumptionToken }, nth) =>
    resumptionToken === undefined ? page("ab", "2") : answer(nth);

/** A second page that is right from the second request on. */
const onceWrong = (wrong: Answer | string) => secondPage((nth) => (nth === 1 ? wrong : page("c", "")));

it("a page is passed on → the next one has been requested before", async () => {
  const sent: string[] = [];
  const onSent = (message: unknown) =>
    sent.push((message as { headers: string }).headers.split(" ")[1] ?? "");
  subscribe("undici:client:sendHeaders", onSent);
  onTestFinished(() => void unsubscribe("undici:client:sendHeaders", onSent));
  const { baseUrl } = await scriptedRepository(({ resumptionToken }) =>
    resumptionToken === undefined ? page("ab", "2") : page("c", ""),
  );
  const list = readOaiList(startList("ListRecords", { metadataPrefix: "oai_dc" }), {
    ...openGate(baseUrl),
    wish: {},
  });
  await list.next();
  expect(sent.slice(1)).toEqual([
    `/oai?verb=ListRecords&${first}`,
    "/oai?verb=ListRecords&resumptionToken=2",
  ]);
  expect((await list.next()).value).toMatchObject({ type: "end", completeness: complete });
});

describe("a list ends", () => {
  it.each<[string, Script, string]>([
    ["with an empty token", pagesOf("ab", "c"), "abc"],
    ["without a token", secondPage(() => page("c")), "abc"],
    ["without any token, on its first page", () => page("a"), "a"],
    ["with noRecordsMatch at once", () => errorPage("noRecordsMatch"), ""],
    ["with noRecordsMatch after a token", secondPage(() => errorPage("noRecordsMatch")), "ab"],
    [
      "with HTTP 422 and noRecordsMatch in its body",
      secondPage(() => ({ status: 422, body: errorPage("noRecordsMatch") })),
      "ab",
    ],
    [
      "with HTTP 404 and noRecordsMatch in its body",
      secondPage(() => ({ status: 404, body: errorPage("noRecordsMatch") })),
      "ab",
    ],
    ["with an empty page after a full one", secondPage(() => page("", "")), "ab"],
    [
      "with badResumptionToken after as many records as announced",
      ({ resumptionToken }) =>
        resumptionToken === undefined
          ? page("ab", "2", 'completeListSize="2"')
          : errorPage("badResumptionToken"),
      "ab",
    ],
    [
      "after single empty pages",
      ({ resumptionToken: token }) =>
        token === undefined
          ? page("a", "1")
          : token === "9"
            ? page("b", "")
            : page("", String(Number(token) + 1)),
      "ab",
    ],
    ["although its pages repeat records", pagesOf("abc", "cd", "de"), "abccdde"],
    [
      "although its completeListSize is too small",
      ({ resumptionToken }) =>
        resumptionToken === undefined ? page("ab", "2", 'completeListSize="1"') : page("c", ""),
      "abc",
    ],
    [
      "although its completeListSize is not a number",
      ({ resumptionToken }) =>
        resumptionToken === undefined
          ? page("ab", "2", 'completeListSize="many" cursor="-1"')
          : page("c", ""),
      "abc",
    ],
  ])("%s → complete", async (_, script, ids) => {
    expect(await readList(script)).toMatchObject({ ids, completeness: complete });
  });

  it("with fewer records than announced → short", async () => {
    const { completeness } = await readList(({ resumptionToken }) =>
      resumptionToken === undefined ? page("ab", "2", 'completeListSize="9"') : page("c", ""),
    );
    expect(completeness).toEqual({ type: "short", announced: 9, read: 3 });
  });
});

describe("a token", () => {
  it("with signs of URLs → encoded", async () => {
    const token = "a+b/c=d&e#f g";
    const { requested, ids } = await readList(({ resumptionToken }) =>
      resumptionToken === token ? page("b", "") : page("a", "a+b/c=d&amp;e#f g"),
    );
    expect(ids).toBe("ab");
    expect(requested).toEqual([first, `resumptionToken=${token}`]);
  });

  const long = "x".repeat(5000);
  it("of 5,000 characters → sent by POST", async () => {
    const { ids, completeness, requested } = await readList(({ resumptionToken, method }) =>
      resumptionToken === undefined
        ? page("a", long)
        : method === "POST" && resumptionToken === long
          ? page("b", "")
          : { status: 414 },
    );
    expect({ ids, completeness }).toEqual({ ids: "ab", completeness: complete });
    expect(requested).toEqual([first, `POST resumptionToken=${long}`]);
  });

  it.each([
    ["refuses POST", { status: 405 }],
    ["reads the arguments of a POST nowhere", errorPage("badVerb")],
  ])("of 5,000 characters, and the repository %s → sent by GET from then on", async (_, refusal) => {
    const { ids, requested } = await readList(({ resumptionToken, method }) => {
      if (resumptionToken === undefined) return page("a", long);
      if (method === "POST") return refusal;
      return resumptionToken === long ? page("b", `${long}y`) : page("c", "");
    });
    expect(ids).toBe("abc");
    expect(requested.map((query) => query.slice(0, 4))).toEqual(["meta", "POST", "resu", "resu"]);
  });

  it("of 10,000 characters, where POST is not read → interrupted, as no URL can be as long", async () => {
    const read = await readList(({ resumptionToken }) =>
      resumptionToken ? errorPage("badVerb") : page("a", "t".repeat(10_000)),
    );
    expect(read.completeness).toEqual({ type: "interrupted", reason: "POST: badVerb: said so" });
    expect(read.requested.map((query) => query.slice(0, 21))).toEqual([
      first.slice(0, 21),
      "POST resumptionToken=",
      "POST resumptionToken=",
    ]);
  });

  it("of more characters than the gate sends, as they are or encoded → interrupted", async () => {
    for (const token of ["t".repeat(60_001), "\u00fc".repeat(10_001), "t".repeat(1e6)]) {
      const read = await readList(({ resumptionToken }) =>
        resumptionToken ? page("b", "") : page("a", token),
      );
      expect([read.ids, read.requested]).toEqual(["a", [first]]);
      const reason = "a resumptionToken has more than 60000 characters";
      expect(read.completeness).toEqual({ type: "interrupted", reason });
    }
  });

  it("that is percent-encoded already → sent as it is once the repository has rejected it encoded", async () => {
    const { ids, completeness, requested } = await readList(({ resumptionToken: token }) =>
      token === undefined
        ? page("a", "x%7C1")
        : token === "x|1"
          ? page("b", "x%7C2")
          : token === "x|2"
            ? page("c", "")
            : errorPage("badResumptionToken"),
    );
    expect({ ids, completeness }).toEqual({ ids: "abc", completeness: complete });
    expect(requested).toHaveLength(4);
  });

  it("beside which the repository demands metadataPrefix → gets it, from then on", async () => {
    const { ids, completeness, requested } = await readList(
      ({ resumptionToken: token = "0", metadataPrefix }) =>
        metadataPrefix === undefined
          ? errorPage("badArgument")
          : page(token, token === "2" ? "" : String(Number(token) + 1)),
    );
    expect({ ids, completeness }).toEqual({ ids: "012", completeness: complete });
    expect(requested).toHaveLength(4);
  });

  it("that has expired → the list starts again", async () => {
    const { ids, completeness, requested } = await readList(({ resumptionToken }, nth) =>
      resumptionToken === undefined
        ? page("ab", `t${nth}`)
        : resumptionToken === "t1"
          ? errorPage("badResumptionToken")
          : page("c", ""),
    );
    expect({ ids, completeness }).toEqual({ ids: "ababc", completeness: complete });
    expect(requested).toEqual([first, "resumptionToken=t1", first, "resumptionToken=t2"]);
  });

  it("that always expires → interrupted after three restarts", async () => {
    const { completeness, requested } = await readList(secondPage(() => errorPage("badResumptionToken")));
    expect(completeness).toEqual({
      type: "interrupted",
      reason: "badResumptionToken: said so (after 3 restarts)",
    });
    expect(requested).toHaveLength(8);
  });

  it("that comes again and again with the last page → interrupted", async () => {
    const { completeness } = await readList(secondPage(() => page("c", "2")));
    expect(completeness).toMatchObject({ type: "interrupted", reason: expect.stringContaining("repeats") });
  });

  it("in a circle of pages → interrupted", async () => {
    const { completeness } = await readList(({ resumptionToken: token }) =>
      page(token ?? "0", token === "1" ? "2" : "1"),
    );
    expect(completeness).toMatchObject({ type: "interrupted", reason: expect.stringContaining("repeats") });
  });

  it("after which pages are empty → interrupted", async () => {
    const { completeness } = await readList(({ resumptionToken = "0" }) =>
      page("", String(Number(resumptionToken) + 1)),
    );
    expect(completeness).toEqual({ type: "interrupted", reason: "20 pages in a row have no records" });
  });
});

describe("a page is requested again", () => {
  const xml = page("c", "");
  it.each<[string, Answer | string]>([
    ["after 500 without a body", { status: 500 }],
    ["after 500 with a page of HTML", { status: 500, body: "<html><body>Error</body></html>" }],
    ["after 502", { status: 502, body: "Bad Gateway" }],
    ["after 503 with Retry-After in seconds", { status: 503, headers: { "retry-after": "0" } }],
    [
      "after 503 with Retry-After as a date",
      { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" } },
    ],
    ["after 429", { status: 429, headers: { "retry-after": "0" } }],
    ["after a truncated page", xml.slice(0, -40)],
    [
      "after a page cut in mid-transfer",
      { body: xml.slice(0, -40), headers: { "content-length": String(xml.length) }, cut: true },
    ],
    ["after mismatched tags", xml.replace("</record>", "</recrod>")],
    ["after HTML with status 200", "<html><body>Please wait</body></html>"],
    ["after an empty body with status 200", ""],
    [
      "after noRecordsMatch with status 500: a failed database matches no records",
      { status: 500, body: errorPage("noRecordsMatch") },
    ],
    ["after a broken compression", { body: "not gzip", headers: { "content-encoding": "gzip" } }],
  ])("%s → complete", async (_, wrong) => {
    const { ids, completeness, requested } = await readList(onceWrong(wrong));
    expect({ ids, completeness }).toEqual({ ids: "abc", completeness: complete });
    expect(requested).toEqual([first, "resumptionToken=2", "resumptionToken=2"]);
  });
});

describe("a list is interrupted", () => {
  it.each<[string, Answer | string, RegExp]>([
    [
      "by an error that is not an end",
      errorPage("badArgument", "cannotDisseminateFormat"),
      /^badArgument.*cannotDisseminateFormat/,
    ],
    ["by an error that the protocol does not know", errorPage("internalError"), /^internalError/],
    ["by 500 forever", { status: 500 }, /answered 500/],
    ["by truncated pages forever", page("c", "").slice(0, -40), /malformed/],
    ["by XML of another kind forever", "<rss/>", /root element is rss/],
    [
      "by a bare &amp; that hides a wrong tag",
      page("c", "").replace("Title c", "A & B</e:titel>"),
      /malformed/,
    ],
  ])("%s", async (_, answer, reason) => {
    const { ids, completeness } = await readList(secondPage(() => answer));
    expect(ids).toBe("ab");
    expect(completeness).toEqual({ type: "interrupted", reason: expect.stringMatching(reason) });
  });

  it.each([401, 403, 404])("by %d at once, without a further request", async (status) => {
    const { completeness, requested } = await readList(secondPage(() => ({ status, body: "no" })));
    expect(completeness).toMatchObject({ type: "interrupted", reason: expect.stringContaining(`${status}`) });
    expect(requested).toHaveLength(2);
  });
});

describe("a page that is not quite XML → repaired, and said so", () => {
  it.each<[string, string | Uint8Array, string]>([
    ["a bare &", page("c", "").replace("Title c", "A & B"), "A & B"],
    ["an entity of HTML", page("c", "").replace("Title c", "na&iuml;ve"), "naïve"],
    ["U+0003", page("c", "").replace("Title c", "A\u0003B"), "AB"],
    ["U+000B", page("c", "").replace("Title c", "A\u000bB"), "AB"],
    ["U+001A", page("c", "").replace("Title c", "A\u001aB"), "AB"],
    ["U+FFFE", page("c", "").replace("Title c", "A\ufffeB"), "AB"],
    ["a reference to U+0000", page("c", "").replace("Title c", "A&#0;B"), "A\ufffdB"],
    ["notices of PHP after the end", `${page("c", "")}\n<br />\n<b>Notice</b>: Undefined index`, "Title c"],
    ["notices of PHP before the beginning", `Notice: Undefined index\n${page("c", "")}`, "Title c"],
    ["a blank line before the declaration", `\n\n${page("c", "")}`, "Title c"],
    [
      "invalid UTF-8",
      Buffer.concat([
        Buffer.from(page("c", "").split("Title c")[0] ?? ""),
        Buffer.from([0xe9]),
        Buffer.from(page("c", "").split("Title c")[1] ?? ""),
      ]),
      "\ufffd",
    ],
  ])("%s", async (_, body, title) => {
    const { completeness, flaws, titles } = await readList(secondPage(() => ({ body })));
    expect({ completeness, title: titles.at(-1) }).toEqual({ completeness: complete, title });
    expect(flaws).toHaveLength(1);
  });
});

describe("a body", () => {
  const body = Buffer.from(page("é", ""));
  it.each<[string, Answer]>([
    ["gzip", { body: gzipSync(body), headers: { "content-encoding": "gzip" } }],
    ["deflate", { body: deflateSync(body), headers: { "content-encoding": "deflate" } }],
    [
      "deflate without the zlib header",
      { body: deflateRawSync(body), headers: { "content-encoding": "deflate" } },
    ],
    ["br", { body: brotliCompressSync(body), headers: { "content-encoding": "br" } }],
    ["with a byte order mark", { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]) }],
    [
      "in ISO-8859-1 by its declaration",
      {
        body: Buffer.from(page("é", "").replace("UTF-8", "ISO-8859-1"), "latin1"),
        headers: { "content-type": "text/xml" },
      },
    ],
    [
      "in ISO-8859-1 by its header",
      {
        body: Buffer.from(page("é", "").replace(/<\?.*?\?>/, ""), "latin1"),
        headers: { "content-type": "text/xml; charset=iso-8859-1" },
      },
    ],
    ["with a type of HTML", { body, headers: { "content-type": "text/html" } }],
  ])("%s → read", async (_, answer) => {
    expect(await readList(() => answer)).toMatchObject({ ids: "é", completeness: complete, flaws: [] });
  });

  it("with other prefixes than usual → read by namespace", async () => {
    const prefixed = page("a", "")
      .replace(/<(\/?)(?!\?|e:|dc:)(\w)/g, "<$1o:$2")
      .replace("xmlns=", "xmlns:o=");
    expect(await readList(() => prefixed)).toMatchObject({ ids: "a", completeness: complete, flaws: [] });
  });

  it("whose oai:request names another address → the base URL is followed", async () => {
    const { requested } = await readList(pagesOf("a", "b"));
    expect(requested).toEqual([first, "resumptionToken=1"]);
  });
});

describe("a window", () => {
  const times = { metadataPrefix: "oai_dc", from: "2026-01-31T10:00:00Z", until: "2026-02-01T10:00:00Z" };

  it("in seconds, which the repository rejects → in days", async () => {
    const { ids, requested } = await readList(
      ({ from = "" }) => (from.includes("T") ? errorPage("badArgument") : page("a", "")),
      times,
    );
    expect(ids).toBe("a");
    expect(requested.at(-1)).toBe("metadataPrefix=oai_dc&from=2026-01-31&until=2026-02-01");
  });

  it("in days, which the repository rejects → interrupted", async () => {
    const days = { ...times, from: "2026-01-31", until: "2026-02-01" };
    const { completeness, requested } = await readList(() => errorPage("badArgument"), days);
    expect(completeness).toEqual({ type: "interrupted", reason: "badArgument: said so" });
    expect(requested).toHaveLength(1);
  });
});

it("a redirect → followed for each page, from the base URL", async () => {
  const { ids, completeness } = await readList((args) =>
    args.moved === undefined
      ? { status: 302, headers: { location: `/oai?${new URLSearchParams({ ...args, moved: "1" })}` } }
      : pagesOf("a", "b")(args, 1),
  );
  expect({ ids, completeness }).toEqual({ ids: "ab", completeness: complete });
});

it("an envelope without records or token → complete and empty", async () => {
  expect(await readList(() => envelope("<ListRecords/>"))).toMatchObject({ ids: "", completeness: complete });
});
