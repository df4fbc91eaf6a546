import { describe, expect, it } from "vitest";
import type { Page } from "../../../../shared/console/page.ts";
import { pages } from "../../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";

/** The page at a path of the table. */
function pageAt(method: Page["method"], path: string): Page {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const markup = "<script>alert(1)</script>";

const definition = {
  id: "d1",
  title: markup,
  type: "snapshot",
  seeds: ["https://a.example/"],
  limits: { maxObjects: 10, maxBytes: 1000, maxObjectBytes: 1000, maxDepth: 1, maxMinutes: 5 },
  deduplicate: true,
  isActive: false,
  createdAt: "2026-11-20T12:00:00Z",
  generation: 0,
  jobIds: [],
  history: [{ at: "2026-11-20T12:00:00Z", what: "created" }],
};

const collection = {
  collectionId: "papers",
  title: "Papers",
  rule: { statusCodes: "404", active: true },
  recheckDelaysHours: [1],
  inconclusiveLimit: 3,
  recipients: [],
  hold: false,
  status: "suppressed",
  linkStatus: {
    status: "suppressed",
    failures: 2,
    since: "2026-11-20T12:00:00Z",
    reason: "4 of 4 links are broken",
  },
};

const share = {
  from: "2026-11-01",
  to: "2026-11-14",
  judged: 200,
  dead: 4,
  share: 0.02,
  low: 0.01,
  high: 0.05,
};

describe("a preview", () => {
  const hostile = `${markup}<img src="https://evil.example/x" onerror="alert(1)">`;
  const record = (url: string) => ({
    outcome: "valid",
    findings: [hostile],
    title: hostile,
    url,
    warnings: [hostile],
    record: { leader: "", control: [], fields: [] },
    provenance: [
      { field: "year", value: hostile, witness: "page", others: [], disagrees: true },
      { field: "volume", value: hostile, witness: "page", others: [{ witness: "feed", value: hostile }] },
    ],
    page: {
      metadata: [{ name: hostile, content: hostile }],
      blocks: [
        { kind: "heading", text: hostile },
        { kind: "text", text: `${hostile} ${"word ".repeat(1500)}` },
      ],
      isShortened: true,
    },
  });
  const urls = Array.from({ length: 20 }, (_, index) => `https://j.example/${index}?a=1&b=2`);
  const missed = { url: "https://j.example/none", reason: hostile, page: record("").page };
  const previewPage = (query = "") =>
    pageAt("GET", "/console/sources/{id}/preview/{previewId}")
      .answer(
        consoleRequest(`/console/sources/s/preview/p${query}`, {
          answers: {
            "GET /sources/s/preview/p": {
              status: 200,
              source: { state: "read", entries: 20, requested: 20 },
              records: urls.map(record),
              missed: [missed],
            },
          },
          params: { id: "s", previewId: "p" },
        }),
      )
      .then(bodyOf);

  it.each([
    ["of 20 articles → beside each record the beginning of its page, on one page of 100 KB", "", 20],
    ["of one article → all that was read", `?article=${encodeURIComponent(urls[3] ?? "")}`, 1],
    ["of an article that became no record → what its page says", "?article=https://j.example/none", 0],
  ])("%s; what pages say stays text", async (_title, query, records) => {
    const body = await previewPage(query);
    expect(body.length).toBeLessThan(100_000);
    expect(body.match(/class="marc"/g)?.length ?? 0).toBe(records);
    expect(body).not.toMatch(/<script|<img|<[^>]*\sonerror/);
    expect(body).toContain("&lt;script&gt;");
    expect(body.includes("word ".repeat(1000))).toBe(query !== "");
    // The list shows only contradictions.
    expect(body.match(/<td>year<\/td>/g)?.length ?? 0).toBe(records);
    expect(body.match(/<td>volume<\/td>/g)?.length ?? 0).toBe(records === 1 ? 1 : 0);
  });

  it("of an article that it does not have → says so", async () => {
    expect(await previewPage("?article=https://j.example/other")).toContain("There is no such article");
  });
});

describe("the page of a snapshot", () => {
  const answers = { "GET /snapshots/d1": definition, "GET /snapshots/d1/jobs": { jobs: [] } };
  const request = (role: "viewer" | "operator") =>
    consoleRequest("/console/snapshots/d1", { answers, params: { id: "d1" }, role });

  it("shows a title with markup as text, and what an operator may do", async () => {
    const body = await bodyOf(await pageAt("GET", "/console/snapshots/{id}").answer(request("operator")));
    expect(body).not.toContain(markup);
    expect(body).toContain("&lt;script&gt;");
    expect(body).toContain('action="/console/snapshots/d1/activate"');
  });

  it("offers a viewer nothing to change", async () => {
    const body = await bodyOf(await pageAt("GET", "/console/snapshots/{id}").answer(request("viewer")));
    expect(body).not.toContain("<form");
  });

  it("is activated by the API; a refusal is told in its words", async () => {
    const page = pageAt("POST", "/console/snapshots/{id}/activate");
    const done = consoleRequest("/console/snapshots/d1/activate", {
      answers: { "POST /snapshots/d1/activate": definition },
      params: { id: "d1" },
    });
    expect(await page.answer(done)).toEqual({
      redirect: "/console/snapshots/d1",
      notice: { text: "Activated" },
    });
    const refused = consoleRequest("/console/snapshots/d1/activate", {
      answers: {
        "POST /snapshots/d1/activate": { status: 409, detail: "d1 is based on unfinished definition d0" },
      },
      params: { id: "d1" },
    });
    expect(await page.answer(refused)).toMatchObject({
      notice: { text: "d1 is based on unfinished definition d0" },
    });
  });

  it("a packed capture with content that is kept elsewhere → where it is, as text", async () => {
    const elsewhere = [
      {
        url: `https://a.example/${markup}`,
        file: "NAS-7.arc.gz",
        offset: "42",
        capturedAt: "2024-02-03T04:05:06Z",
      },
      { url: "https://a.example/b.png", file: "NAS-8.arc.gz", offset: "43" },
    ];
    const request = consoleRequest("/console/capture-jobs/7/look", {
      params: { jobId: "7" },
      answers: {
        "GET /capture-jobs/7": { id: 7, definitionId: "d1" },
        "GET /capture-jobs/7/package": {
          url: "https://store.example/7.wacz",
          expiresAt: "2026-11-22T20:30:00Z",
          elsewhere,
        },
      },
    });
    const body = await bodyOf(await pageAt("GET", "/console/capture-jobs/{jobId}/look").answer(request));
    expect(body).toContain("NAS-7.arc.gz, 42");
    expect(body).toContain("NAS-8.arc.gz, 43");
    expect(body).toContain("2024");
    expect(body).not.toContain(markup);
  });

  it("leads to a file of a job where the store has it", async () => {
    const page = pageAt("GET", "/console/capture-jobs/{jobId}/files/{name}");
    const request = consoleRequest("/console/capture-jobs/7/files/crawl.log", {
      params: { jobId: "7", name: "crawl.log" },
    });
    expect(await page.answer(request)).toMatchObject({ status: 404 });
  });
});

describe("a new snapshot", () => {
  const form = {
    title: "Autumn",
    type: "snapshot",
    seeds: "https://a.example/\nb.example",
    "limits.maxDepth": "2",
    "limits.maxObjects": "100",
    previous: "",
    deduplicate: "yes",
  };

  it("sends addresses as seeds and names as domains", async () => {
    const request = consoleRequest("/console/snapshots/new", {
      answers: { "POST /snapshots": { ...definition, title: "Autumn" } },
      form,
    });
    const answer = await pageAt("POST", "/console/snapshots/new").answer(request);
    expect(answer).toMatchObject({ redirect: "/console/snapshots/d1" });
    expect(request.calls).toMatchObject([
      {
        method: "POST",
        body: { seeds: ["https://a.example/"], domains: ["b.example"], limits: { maxDepth: 2 } },
      },
    ]);
  });

  it("stays as it was typed when the API refuses it, with the reason at the field", async () => {
    const request = consoleRequest("/console/snapshots/new", {
      answers: {
        "POST /snapshots": { status: 400, detail: "must be a domain", field: "domains.0", value: "b" },
        "GET /snapshots": { definitions: [] },
      },
      form: { ...form, seeds: "b" },
    });
    const body = await bodyOf(await pageAt("POST", "/console/snapshots/new").answer(request));
    expect(body).toContain('href="#field-seeds"');
    expect(body).toContain(">b</textarea>");
  });
});

describe("the page of a collection", () => {
  const answers = {
    "GET /collections/papers": collection,
    "GET /collections/papers/estimate": { now: share, before: share, trend: "unclear" },
    "GET /collections/papers/statistics": {
      days: [
        { collection: [{ to: "suppressed", at: "2026-11-20T12:00:00Z", reason: "held by anna: moves" }] },
      ],
    },
  };
  const at = (path: string, form: Record<string, string> = {}, more: Record<string, unknown> = {}) =>
    consoleRequest(path, { answers: { ...answers, ...more }, params: { id: "papers" }, form });

  it("says why it is suppressed, how many links are alive, and offers to restore it", async () => {
    const body = await bodyOf(
      await pageAt("GET", "/console/collections/{id}").answer(at("/console/collections/papers")),
    );
    expect(body).toContain("4 of 4 links are broken");
    expect(body).toContain("98.0 % are alive (95.0 %–99.0 %");
    expect(body).toContain('action="/console/collections/papers/restore"');
    expect(body).toContain("suppressed, held by anna: moves");
  });

  it("is held, which can be undone", async () => {
    const page = pageAt("POST", "/console/collections/{id}/hold");
    const answer = await page.answer(at("/", {}, { "POST /collections/papers/hold": collection }));
    expect(answer).toMatchObject({ notice: { undo: { to: "/console/collections/papers/release" } } });
  });

  it("keeps all but the rule when the rule is saved", async () => {
    const request = at(
      "/",
      { title: "Papers", "rule.xpath": "//p", "rule.active": "yes", "rule.statusCodes": " " },
      { "PUT /collections/papers": { ...collection, warnings: ["//p hits every page."] } },
    );
    const answer = await pageAt("POST", "/console/collections/{id}/rule").answer(request);
    expect(answer).toMatchObject({ notice: { text: "The rule is saved. //p hits every page." } });
    expect(request.calls.at(-1)).toMatchObject({
      method: "PUT",
      body: {
        title: "Papers",
        rule: { xpath: "//p", active: true },
        recheckDelaysHours: [1],
        inconclusiveLimit: 3,
      },
    });
  });

  it("shows a test of the rule when the page has answered, and waits until then", async () => {
    const page = pageAt("GET", "/console/collections/{id}/tests/{testId}");
    const request = (test: unknown) =>
      consoleRequest("/", { answers: { "GET /rules/tests/t": test }, params: { id: "papers", testId: "t" } });
    expect(await page.answer(request({ status: "waiting", url: "https://a.example/" }))).toMatchObject({
      live: true,
    });
    const parts = {
      statusCodes: { isHit: true },
      finalUrl: { isHit: false },
      xpath: { isHit: true, matchedText: markup },
    };
    const done = {
      status: "done",
      url: "https://a.example/",
      verdict: "broken",
      reason: "status 404",
      hops: [],
      parts,
    };
    const body = await bodyOf(await page.answer(request(done)));
    expect(body).toContain("status 404");
    expect(body).not.toContain(markup);
  });
});

describe("the report on links", () => {
  it("counts by collection, and as CSV", async () => {
    const none = { count: 0, samples: [] };
    const row = {
      collectionId: "papers",
      collection: [],
      activated: none,
      suppressed: { count: 3, samples: [] },
      deleted: none,
      unjudged: none,
      refused: none,
    };
    const answers = { "GET /reports/links": { day: "2026-11-22", collections: [row] } };
    const page = pageAt("GET", "/console/link-report");
    const body = await bodyOf(await page.answer(consoleRequest("/console/link-report", { answers })));
    expect(body).toContain("day=2026-11-21");
    const csv = await page.answer(consoleRequest("/console/link-report?format=csv", { answers }));
    expect(csv).toMatchObject({ fileName: "links-2026-11-22.csv", csv: expect.stringContaining("papers") });
  });
});

describe("the page of a host", () => {
  it("says why it is not requested, and what its robots.txt allows", async () => {
    const status = {
      host: "a.example",
      failures: 8,
      unavailable: [{ what: "a.example", until: "2026-11-22T20:00:00Z", reason: "8 requests failed" }],
      robots: [
        { origin: "https://a.example", access: "disallow-all", reason: "answered 503" },
        { origin: "http://a.example", access: "rules", text: `# ${markup}\nDisallow: /x\n` },
      ],
    };
    const answers = { "GET /hosts/a.example": status, "GET /hosts/a.example/statistics": { days: [] } };
    const request = consoleRequest("/console/hosts/a.example", { answers, params: { host: "a.example" } });
    const body = await bodyOf(await pageAt("GET", "/console/hosts/{host}").answer(request));
    expect(body).toContain("8 requests failed");
    expect(body).toContain("nothing is allowed");
    expect(body).toContain("Disallow: /x");
    expect(body).not.toContain(markup);
  });

  it("an address is typed → its host", async () => {
    const request = consoleRequest("/console/hosts?host=https%3A%2F%2FA.example%2Fx");
    expect(await pageAt("GET", "/console/hosts").answer(request)).toEqual({
      redirect: "/console/hosts/a.example",
    });
  });
});

describe("the page of a mail", () => {
  it("shows its text as text", async () => {
    const mail = {
      mailId: "m",
      subject: "Report",
      sentAt: "2026-11-22T19:00:00Z",
      to: ["a@b.example"],
      text: markup,
    };
    const request = consoleRequest("/console/mail?id=m", { answers: { "GET /mails/m": mail } });
    const body = await bodyOf(await pageAt("GET", "/console/mail").answer(request));
    expect(body).not.toContain(markup);
    expect(body).toContain("a@b.example");
  });
});

describe("the page of a document", () => {
  const document = {
    documentId: "d",
    identifier: "oai:a.example:1",
    state: "present",
    title: markup,
    changedAt: "2026-11-22T19:00:00Z",
    versions: [{ version: 1, type: "new", at: "2026-11-22T19:00:00Z" }],
    items: [
      {
        itemId: "i",
        state: "present",
        url: "https://a.example/1.pdf",
        contentType: "application/pdf",
        sizeBytes: 900,
      },
      { itemId: "j", state: "refused", url: "https://a.example/2.pdf", problem: { reason: "answered 404" } },
    ],
  };
  const params = { sourceId: "s", documentId: "d" };

  it("shows versions, metadata as text, and files: those that are stored as links", async () => {
    const answers = {
      "GET /sources/s/documents/d": document,
      "GET /sources/s/documents/d/content": { format: "oai_dc", raw: "<dc:title>T</dc:title>" },
    };
    const request = consoleRequest("/console/documents/s/d", { answers, params });
    const body = await bodyOf(
      await pageAt("GET", "/console/documents/{sourceId}/{documentId}").answer(request),
    );
    expect(body).toContain("&lt;dc:title&gt;");
    expect(body).not.toContain(markup);
    expect(body).toContain('href="/console/documents/s/d/items/i"');
    expect(body).not.toContain('href="/console/documents/s/d/items/j"');
    expect(body).toContain("answered 404");
  });

  it("a document whose metadata are gone → said in the API's words", async () => {
    const answers = { "GET /sources/s/documents/d": document };
    const request = consoleRequest("/console/documents/s/d", { answers, params });
    const body = await bodyOf(
      await pageAt("GET", "/console/documents/{sourceId}/{documentId}").answer(request),
    );
    expect(body).toContain("there is no /sources/s/documents/d/content");
  });
});

describe("records by origin", () => {
  const origins = pageAt("GET", "/console/origins");
  const record = {
    recordId: "r1",
    sourceId: "bees",
    title: markup,
    landingUrl: "https://journal.example/1",
    syndicatedAt: "2026-11-20T12:00:00Z",
    state: "delivered",
    origin: { witnesses: { year: "crossref" }, disagreements: ["year"] },
    originFindings: [{ ruleId: "article-retracted", tag: "024", reason: "Retraction by 10.5555/r" }],
  };
  const at = (query: string, records: unknown[] = [record], next?: string) =>
    consoleRequest(`/console/origins${query}`, { answers: { "GET /record-origins": { records, next } } });

  it("retracted articles → their records, with what is known of them, and links to them and their sources", async () => {
    const request = at("?finding=article-retracted&state=delivered", [record], "more");
    const body = await bodyOf(await origins.answer(request));
    expect(body).toContain("Retraction by 10.5555/r");
    expect(body).toContain("year: Crossref");
    expect(body).toContain('href="/console/records/r1"');
    expect(body).toContain('href="/console/sources/bees"');
    expect(body).not.toContain(markup);
    expect(body).toMatch(/href="[^"]*after=more[^"]*" rel="next"/);
    const [call] = request.calls;
    expect(call?.path).toMatch(/finding=article-retracted.*state=delivered/);
  });

  it("an empty page that is not the last → says so, with a link to the next one", async () => {
    const body = await bodyOf(await origins.answer(at("?witness=feed&source=bees", [], "more")));
    expect(body).toContain("Further pages may have some");
    expect(body).toMatch(/after=more[^"]*" rel="next"/);
  });

  it("no source → none is asked for, and the page says what is missing", async () => {
    const request = at("?witness=feed");
    expect(await bodyOf(await origins.answer(request))).toContain("Name a source");
    expect(request.calls).toEqual([]);
  });

  it("CSV → all records", async () => {
    const answer = await origins.answer(at("?finding=article-retracted&format=csv"));
    expect(answer).toMatchObject({
      fileName: "record-origins.csv",
      csv: expect.stringContaining("Retraction by 10.5555/r"),
    });
  });
});
