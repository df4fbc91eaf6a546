import { describe, expect, it } from "vitest";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import type { MockResponse } from "../mock-hosts.ts";
import { feed, pathsOf, type Site, worldOf } from "../operations/site-world.ts";

const doi = "10.1234/bees";
const crossrefPath = "/works/10.1234%2Fbees";
const datacitePath = "/dois/10.1234%2Fbees";

/** A page that lacks the pages and the licence of its article. */
const page = `<meta name="citation_title" content="T /1"><meta name="citation_author" content="Pell, Ottoline">
  <meta name="citation_volume" content="12"><meta name="citation_issue" content="3">
  <meta name="citation_date" content="2014"><meta name="citation_doi" content="${doi}">`;

const work = {
  DOI: doi,
  type: "journal-article",
  title: ["T /1"],
  author: [{ given: "O.", family: "Pell", ORCID: "http://orcid.org/0000-0002-1825-0097" }],
  volume: "12",
  page: "7-9",
  issued: { "date-parts": [[2014, 3, 5]] },
  license: [
    { URL: "https://publisher.example/terms", "content-version": "tdm", start: { "date-parts": [[2014]] } },
    {
      URL: "https://creativecommons.org/licenses/by/4.0/",
      "content-version": "vor",
      start: { "date-parts": [[2014, 3, 5]] },
    },
  ],
};

const crossref = (more: object = {}): MockResponse => ({ body: { message: { ...work, ...more } } });

interface Given {
  group?: object;
  source?: object;
  answers?: Site;
  pages?: Site;
  policy?: object;
}

async function harvestOf({
  group = {},
  source = {},
  answers = {},
  pages = { "/1": page },
  policy = {},
}: Given) {
  const paths = Object.keys(pages);
  const { world, host, add } = await worldOf({
    site: { "/feed": feed(...paths), ...pages, ...answers },
    policy,
  });
  const agencyUrls = { crossref: `${host.origin}/works/`, datacite: `${host.origin}/dois/` };
  world.memory.addGroup("Test", { agencyUrls, ...group });
  add({ url: "/feed", ...source });
  const { documents } = await world.harvest();
  const [document] = documents as ConvertedDocument[];
  const fields = world.memory.marcByKey.get(document?.recordKey ?? "")?.fields ?? [];
  const record = world.memory.recordsById.get(document?.recordId ?? "");
  const valueIn = (tag: string, code: string) =>
    fields.find(([each]) => each === tag)?.[2].find(([each]) => each === code)?.[1];
  const asked = pathsOf(host).filter((path) => /^\/(?:works|dois)\//.test(path));
  const agents = host.requests
    .filter(({ path }) => path.startsWith("/works/"))
    .map(({ userAgent }) => userAgent);
  return { world, document, documents, record, valueIn, asked, agents };
}

const on = { doiAgencies: ["crossref", "datacite"] };

describe("the registration agency of a DOI", () => {
  it.each<[string, Given, string[]]>([
    ["by default → not asked", {}, []],
    ["on for a group → asked", { group: on }, [crossrefPath]],
    ["on for a source → asked", { source: on }, [crossrefPath]],
    ["on for a group and off for a source → not asked", { group: on, source: { doiAgencies: [] } }, []],
    ["only DataCite → only DataCite asked", { group: { doiAgencies: ["datacite"] } }, [datacitePath]],
    ["an article without a DOI → not asked", { group: on, pages: { "/1": page.replace(doi, "") } }, []],
  ])("%s", async (_what, given, expected) => {
    const answers = { [crossrefPath]: crossref() };
    expect((await harvestOf({ answers, ...given })).asked).toEqual(expected);
  });

  it("Crossref knows the article → its gaps are filled, with the origin of each field", async () => {
    const { valueIn, record } = await harvestOf({ group: on, answers: { [crossrefPath]: crossref() } });
    expect(valueIn("936", "h")).toBe("7-9");
    expect(valueIn("856", "z")).toBe("LF");
    expect(valueIn("100", "0")).toBe("(orcid)0000-0002-1825-0097");
    expect(valueIn("100", "a")).toBe("Pell, Ottoline");
    expect(record?.provenance).toEqual(
      expect.arrayContaining([
        { field: "pages", value: "7-9", witness: "crossref", others: [] },
        {
          field: "licence",
          value: "https://creativecommons.org/licenses/by/4.0/ (from 2014-03-05)",
          witness: "crossref",
          others: [],
        },
        expect.objectContaining({ field: "volume", value: "12", witness: "page" }),
      ]),
    );
  });

  it("a licence that begins later, and one for text and data mining → not the article's", async () => {
    const [mining, later] = work.license;
    const license = [mining, { ...later, start: { "date-parts": [[2099, 1, 1]] } }];
    const { valueIn } = await harvestOf({ group: on, answers: { [crossrefPath]: crossref({ license }) } });
    expect(valueIn("856", "z")).toBe("ZZ");
  });

  it("Crossref does not know it → DataCite is asked", async () => {
    const attributes = { doi, titles: [{ title: "T /1" }], container: { firstPage: "7", lastPage: "9" } };
    const { asked, valueIn } = await harvestOf({
      group: on,
      answers: { [datacitePath]: { body: { data: { attributes } } } },
    });
    expect(asked).toEqual([crossrefPath, datacitePath]);
    expect(valueIn("936", "h")).toBe("7-9");
  });

  it("two articles with one DOI → asked once", async () => {
    const pages = { "/1": page, "/2": page };
    const { asked } = await harvestOf({ group: on, pages, answers: { [crossrefPath]: crossref() } });
    expect(asked).toEqual([crossrefPath]);
  });

  it.each<[string, MockResponse]>([
    ["an error", { status: 500 }],
    ["too many requests", { status: 429, headers: { "retry-after": "86400" } }],
    ["something else", { body: "<html>" }],
    ["a list", { body: { message: { items: [] } } }],
  ])("answers with %s → the article goes without, with a warning", async (_what, answer) => {
    const { document, asked } = await harvestOf({
      group: on,
      answers: { [crossrefPath]: answer },
      policy: {
        maxAttempts: 2,
        backoffBaseMs: 10,
        backoffMaxMs: 10,
        retryAfterMaxMs: 1000,
        givesUpLongerRetryAfter: true,
      },
    });
    expect(document).toMatchObject({ state: "converted", title: "T /1" });
    expect(document?.warnings).toContainEqual(
      expect.stringContaining(`crossref could not be asked about ${doi}: `),
    );
    expect(asked).not.toContain(datacitePath);
  });

  it("states a limit of its rate → its requests stay within it", async () => {
    const headers = { "x-rate-limit-limit": "1", "x-rate-limit-interval": "20s" };
    const { world } = await harvestOf({
      group: on,
      pages: { "/1": page, "/2": page.replaceAll(doi, "10.1234/wasps") },
      answers: {
        [crossrefPath]: { ...crossref(), headers },
        "/works/10.1234%2Fwasps": { ...crossref({ DOI: "10.1234/wasps" }), headers },
      },
    });
    const times = world.requestedAtMs.filter(([url]) => url.includes("/works/")).map(([, atMs]) => atMs);
    expect(times).toHaveLength(2);
    expect(Math.abs((times[1] ?? 0) - (times[0] ?? 0))).toBeGreaterThanOrEqual(20_000);
  });

  it("asks for a wait of an hour → not asked again, and the article goes without", async () => {
    const { document, asked } = await harvestOf({
      group: on,
      answers: { [crossrefPath]: { status: 503, headers: { "retry-after": "3600" } } },
      policy: { maxAttempts: 3, retryAfterMaxMs: 7_200_000 },
    });
    expect(document?.warnings).toContainEqual(expect.stringContaining("(notAfter)"));
    expect(asked).toEqual([crossrefPath]);
  });

  it("is told the mail address", async () => {
    const { agents } = await harvestOf({
      group: { ...on, contactMail: "catalogue@library.example" },
      answers: { [crossrefPath]: crossref() },
    });
    expect(agents).toEqual(["test (mailto:catalogue@library.example)"]);
  });
});

describe("retractions and corrections", () => {
  const updated = { "date-parts": [[2025, 1, 2]] };
  const by = (type: string) => ({ DOI: "10.1234/notice", type, updated });

  it.each<[string, object, string, string]>([
    ["a retraction", { "updated-by": [by("retraction")] }, "document.retracted", "article-retracted"],
    ["an erratum", { "updated-by": [by("erratum")] }, "document.corrected", "article-corrected"],
  ])(
    "%s of the article → an event, and a finding that holds only if it is to",
    async (_what, more, type, ruleId) => {
      const answers = { [crossrefPath]: crossref(more) };
      const { world, document, record } = await harvestOf({ group: on, answers });
      expect(world.memory.published.filter((event) => event.type === type)).toMatchObject([
        { detail: { doi, notice: { doi: "10.1234/notice", day: "2025-01-02" } } },
      ]);
      const found = [expect.objectContaining({ ruleId, tag: "024" })];
      expect(document?.originFindings).toEqual(found);
      expect(record?.originFindings).toEqual(found);
      expect(document?.originFindings?.[0]?.isHeld).toBeUndefined();
      const held = await harvestOf({ group: { ...on, heldFindings: [ruleId] }, answers });
      expect(held.document?.originFindings).toMatchObject([{ ruleId, isHeld: true }]);
    },
  );

  it("a notice that retracts another article → an event about that article, no finding", async () => {
    const answers = {
      [crossrefPath]: crossref({ "update-to": [{ DOI: "10.1234/wasps", type: "retraction" }] }),
    };
    const { world, document } = await harvestOf({ group: on, answers });
    expect(world.memory.published).toContainEqual(
      expect.objectContaining({
        type: "document.retracted",
        detail: expect.objectContaining({ doi: "10.1234/wasps", notice: { type: "retraction", doi } }),
      }),
    );
    expect(document?.originFindings).toBeUndefined();
  });
});
