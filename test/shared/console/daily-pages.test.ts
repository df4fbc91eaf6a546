import { describe, expect, it } from "vitest";
import { pages } from "../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "./console-request.ts";

function pageAt(method: string, path: string) {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const show = async (path: string, options: Parameters<typeof consoleRequest>[1]) =>
  bodyOf(await pageAt("GET", path).answer(consoleRequest(path, options)));

const markup = '<img src=x onerror="alert(1)">';

describe("Today", () => {
  const today = (needs: object[], runs: object[] = []) =>
    show("/console", {
      answers: { "GET /today": { needs, nextRuns: [], unfinished: [] }, "GET /runs": { runs } },
    });

  it("refused records → how many and why, with the way to them", async () => {
    const body = await today([
      {
        type: "refused",
        mode: "LIVE",
        reason: "missing-title:245a",
        ruleId: "missing-title",
        field: "245a",
        count: 9,
        sourceCount: 2,
      },
    ]);
    expect(body).toContain("1 item needs attention");
    expect(body).toContain("9 records were refused: 245 $a title missing");
    expect(body).toContain('href="/console/refused?mode=LIVE&amp;reason=missing-title%3A245a"');
  });

  it("a title with markup → stays text", async () => {
    const body = await today([{ type: "overdue", sourceId: "a/b", title: markup, windowDays: 30 }]);
    expect(body).toContain("&lt;img src=x");
    expect(body).not.toContain("<img");
    expect(body).toContain('href="/console/sources/a%2Fb"');
  });

  it("twenty hosts that are not requested → three of them, and a line for the others", async () => {
    const needs = Array.from({ length: 20 }, (_, index) => ({
      type: "host-unavailable",
      hostKey: `h${index}.example`,
      what: `h${index}.example`,
      until: "2026-11-22T20:00:00Z",
      reason: `h${index}.example is unavailable since 2026-11-22T19:00:00.000Z: it could not be reached`,
    }));
    const body = await today(needs);
    expect(body.match(/<li>/g)).toHaveLength(4);
    expect(body).toContain("20 items need attention");
    expect(body).toContain("and 17 more unavailable hosts");
    expect(body).toContain("h0.example is unavailable until today 21:00: it could not be reached");
  });

  it("a host that an operator has paused → who, why, and the way to it", async () => {
    const since = "2026-11-22T19:00:00Z";
    const body = await today([
      { type: "host-paused", hostKey: "slow.example", since, by: "anna", reason: "asked to" },
    ]);
    expect(body).toContain("anna paused slow.example today 20:00: asked to");
    expect(body).toContain('href="/console/hosts/slow.example"');
  });

  it("a host whose checks need more time than there is → how much, and the way to it", async () => {
    const overbooked = {
      hostKey: "busy.example",
      collections: 31,
      links: 124,
      neededHours: 3.1,
      everyHours: 2,
    };
    const body = await today([{ type: "host-overbooked", ...overbooked }]);
    expect(body).toContain(
      "The link checks on busy.example need 3.1 h of every 2 h: its 31 collections take turns",
    );
    expect(body).toContain('href="/console/hosts/busy.example"');
  });

  it("nothing → says so, and where to start when there was never a run", async () => {
    const body = await today([]);
    expect(body).toContain("Nothing needs attention");
    expect(body).toContain('href="/console/sources/add"');
  });

  it("a run that continues → the page updates itself", async () => {
    const run = {
      runId: "live-1",
      deliveryMode: "LIVE",
      state: "harvesting",
      startedAt: "2026-11-22T19:00:00Z",
    };
    const answers = {
      "GET /today": { needs: [], nextRuns: [], unfinished: [] },
      "GET /runs": { runs: [run] },
    };
    expect(await pageAt("GET", "/console").answer(consoleRequest("/console", { answers }))).toMatchObject({
      live: true,
    });
  });

  it.each([
    [
      "links that were judged → the share that is alive, with its interval",
      {
        links: {
          from: "2026-11-08",
          to: "2026-11-21",
          judged: 8400,
          dead: 151,
          share: 0.018,
          low: 0.0154,
          high: 0.021,
        },
      },
      "98.2 % are alive (97.9 %–98.5 %, from 8\u202f400 random links of the last 14 days).",
    ],
    ["no link was judged → says when", {}, "There is no estimate of alive links yet"],
    ["our network is down → says so", { network: { state: "down" } }, 'class="state bad">down<'],
  ])("%s", async (_title, more, expected) => {
    const answers = {
      "GET /today": { needs: [], nextRuns: [], unfinished: [], ...more },
      "GET /runs": { runs: [] },
    };
    expect(await show("/console", { answers })).toContain(expected);
  });

  it("a viewer → sees no button", async () => {
    const answers = { "GET /today": { needs: [], nextRuns: [], unfinished: [] }, "GET /runs": { runs: [] } };
    expect(await show("/console", { answers, role: "viewer" })).not.toContain("<button");
  });
});

describe("a record", () => {
  const id = "abc";
  const answers = {
    "GET /records/abc/versions": { versions: [] },
    "GET /records/abc": {
      recordId: id,
      title: markup,
      landingUrl: "javascript:alert(1)",
      sourceId: "bees",
      collectionId: "bees",
      state: "delinquent",
      updatedAt: "2026-11-22T19:00:00Z",
      link: { status: "active", collectionStatus: "active" },
      originFindings: [
        { ruleId: "article-retracted", tag: "024", reason: "retraction by 10.1234/notice" },
        { ruleId: "witnesses-disagree", tag: "264", reason: "year 2014: page; feed: 2026" },
      ],
      provenance: [
        {
          field: "year",
          value: "2014",
          witness: "page",
          others: [{ witness: "feed", value: "2026" }],
          disagrees: true,
        },
      ],
      marc: {
        leader: "00000nab",
        control: [["001", "x"]],
        fields: [
          [
            "245",
            "10",
            [
              ["a", markup],
              ["b", "rest"],
            ],
          ],
        ],
      },
    },
    "GET /refused-records/abc": {
      deliveryMode: "LIVE",
      refusedAt: "2026-11-22T19:00:00Z",
      findings: [
        { tag: "245", subfield: "a", reason: "does not match" },
        { tag: "856", reason: "is missing" },
        { tag: "100", reason: "is required" },
      ],
    },
  };

  it("refused → each finding stands beside its field, and that of a missing field where it would be", async () => {
    const body = await show("/console/records/{id}", { answers, params: { id } });
    expect(body).toMatch(/<tr class="finding"><td>245<\/td><td>10<\/td>.*\$a: does not match/s);
    expect(body).toMatch(/<tr class="finding"><td>856<\/td>.*is missing/s);
    expect(body.indexOf("<td>100</td>")).toBeLessThan(body.indexOf("<td>245</td>"));
    expect(body).not.toContain("<img");
    expect(body).not.toContain('href="javascript:');
  });

  it("whose witnesses disagree → the origin of the field, and what the others say", async () => {
    const body = await show("/console/records/{id}", { answers, params: { id } });
    expect(body).toMatch(
      /<p class="error">article retracted: retraction by 10.1234\/notice<\/p>.*<td>year<\/td><td>2014<\/td><td>page<\/td><td>feed: 2026 <strong class="warning">contradicts<\/strong>/s,
    );
  });

  it("released → the API is asked once, and the notice says what happens next", async () => {
    const request = consoleRequest("/console/records/abc/release", {
      params: { id },
      answers: { "POST /refused-records/abc/release": { id, state: "released" } },
    });
    expect(await pageAt("POST", "/console/records/{id}/release").answer(request)).toMatchObject({
      redirect: "/console/records/abc",
      notice: { text: expect.stringContaining("next delivery") },
    });
    expect(request.calls).toHaveLength(1);
  });
});

describe("an import", () => {
  it("compared → what is removed first, with the number to confirm, and nothing imported", async () => {
    const request = consoleRequest("/console/sources/import", {
      form: { conf: "[A]" },
      answers: {
        "POST /config/import": {
          sources: 1,
          groups: 1,
          unchanged: 3,
          warnings: [],
          changes: [
            { type: "added", kind: "source", id: "new", title: "New" },
            { type: "removed", kind: "source", id: "old", title: "Old" },
          ],
        },
      },
    });
    const body = await bodyOf(await pageAt("POST", "/console/sources/import").answer(request));
    expect(body.indexOf("Old")).toBeLessThan(body.indexOf("New"));
    expect(body).toContain("Import 2 changes");
    expect(request.calls.map(({ path }) => path)).toEqual(["/config/import?dryRun=true&allowRemovals=true"]);
  });
});

describe("the settings of a source", () => {
  it.each([
    ["2 s", "2 s"],
    ["2000", 2000],
    ["", null],
  ])("a delay of %j → the API is asked for %j: what is no number resets nothing", async (typed, asked) => {
    const stored = { sourceId: "a", title: "A", deliveryMode: "LIVE", updateWindowDays: 0, throttleMs: 5 };
    const request = consoleRequest("/console/sources/a", {
      params: { id: "a" },
      form: { throttleMs: typed, deliveryMode: "LIVE" },
      answers: { "GET /sources/a": stored, "PATCH /sources/a": stored },
    });
    await pageAt("POST", "/console/sources/{id}").answer(request);
    expect(request.calls.at(-1)?.body).toEqual({ throttleMs: asked });
  });

  const repository = {
    ...{ sourceId: "a", title: "A", type: "OAI-PMH", deliveryMode: "LIVE", updateWindowDays: 0 },
    oai: { metadataPrefix: "oai_dc", set: "all" },
    crosswalk: { fields: { rights: [] }, languages: { Hochdeutsch: "ger" }, types: {} },
  };

  it("sets and the crosswalk of a repository → lines, and from lines the values of the API", async () => {
    const given = {
      params: { id: "a" },
      answers: { "GET /sources/a": repository, "PATCH /sources/a": repository },
    };
    const shown = consoleRequest("/console/sources/a", {
      ...given,
      answers: {
        ...given.answers,
        ...{ "GET /sources/a/runs": { runs: [] }, "GET /runs": { runs: [] }, "GET /sources/a/harvest": {} },
      },
    });
    const body = await bodyOf(await pageAt("GET", "/console/sources/{id}").answer(shown));
    expect(body).toContain("rights =\nlanguage Hochdeutsch = ger</textarea>");
    const request = consoleRequest("/console/sources/a", {
      ...given,
      form: {
        "oai.set": "",
        "oai.sets": "articles = papers\r\n\r\ntheses\r\n",
        crosswalk: "subject = 650 #7 $a $2=local\r\ntype Aufsatz = ab",
      },
    });
    const saved = await pageAt("POST", "/console/sources/{id}").answer(request);
    const target = { tag: "650", indicators: " 7", code: "a", constants: { "2": "local" } };
    expect(request.calls.at(-1)?.body).toEqual({
      oai: { set: null, sets: [{ set: "articles", collectionId: "papers" }, { set: "theses" }] },
      crosswalk: { fields: { subject: [target] }, languages: {}, types: { Aufsatz: "ab" } },
    });
    expect(saved).toMatchObject({
      notice: { undo: { fields: { "oai.set": "all", crosswalk: "rights =\nlanguage Hochdeutsch = ger" } } },
    });
  });

  it.each([
    ["UPLOAD", true, false],
    ["RSS", false, false],
    ["OAI-PMH", true, true],
  ])("a source of the type %s → a crosswalk: %j, sets: %j", async (type, hasCrosswalk, hasSets) => {
    const answers = {
      "GET /sources/a": { ...repository, type },
      ...{ "GET /sources/a/runs": { runs: [] }, "GET /runs": { runs: [] }, "GET /sources/a/harvest": {} },
    };
    const request = consoleRequest("/console/sources/a", { params: { id: "a" }, answers });
    const body = await bodyOf(await pageAt("GET", "/console/sources/{id}").answer(request));
    const hasField = (name: string) => body.includes(`name="${name}"`);
    expect([hasField("crosswalk"), hasField("oai.sets")]).toEqual([hasCrosswalk, hasSets]);
  });

  it("a problem within a field → shown at the field", async () => {
    const detail = "crosswalk.fields.subject.0.tag: must be the tag of a data field";
    const request = consoleRequest("/console/sources/a", {
      params: { id: "a" },
      form: { crosswalk: "subject" },
      answers: {
        ...{ "GET /sources/a": repository, "GET /sources/a/runs": { runs: [] }, "GET /runs": { runs: [] } },
        "GET /sources/a/harvest": {},
        "PATCH /sources/a": { status: 400, title: "Bad", detail, field: "crosswalk.fields.subject.0.tag" },
      },
    });
    const body = await bodyOf(await pageAt("POST", "/console/sources/{id}").answer(request));
    expect(body).toContain(`id="field-crosswalk-error">${detail}`);
  });
});

describe("mails", () => {
  const mail = (n: number) => ({
    mailId: `m${n}`,
    subject: `Report ${n}`,
    sentAt: "2026-11-22T19:00:00Z",
    isSent: true,
    to: [n === 70 ? "anna@library.example" : "staff@library.example"],
  });
  const answers = { "GET /mails": { mails: Array.from({ length: 80 }, (_, n) => mail(n)) } };

  it("the filter → finds mails beyond the first page", async () => {
    const request = consoleRequest("/console/mails?q=anna", { answers });
    const body = await bodyOf(await pageAt("GET", "/console/mails").answer(request));
    expect(body).toContain("Report 70");
    expect(body).not.toContain("Report 71");
    expect(request.calls[0]?.path).toBe("/mails?limit=200");
  });

  it("CSV → all of them", async () => {
    const request = consoleRequest("/console/mails?format=csv", { answers });
    const { csv = "" } = (await pageAt("GET", "/console/mails").answer(request)) as { csv?: string };
    expect(csv.trim().split("\r\n")).toHaveLength(81);
  });
});

describe("records", () => {
  it("→ what the last run with deliveries has brought, and those whose link is suppressed", async () => {
    const run = (runId: string, delivered: number) => ({
      runId,
      deliveryMode: "LIVE",
      state: "finished",
      startedAt: "2026-11-22T19:00:00Z",
      figures: { delivered },
    });
    const request = consoleRequest("/console/records", {
      answers: {
        "GET /records": { records: [] },
        "GET /runs": { runs: [run("live-2", 0), run("live-1", 9)] },
        "GET /runs/live-1": { sources: [{ sourceId: "bees", title: markup, delivered: 9 }] },
      },
    });
    const body = await bodyOf(await pageAt("GET", "/console/records").answer(request));
    expect(body).toContain('href="/console/sources/bees?run=live-1&amp;outcome=delivered#articles"');
    expect(body).toContain("9 records");
    expect(body).not.toContain(markup);
  });
});

describe("records of a collection", () => {
  it("CSV → all pages, with the state of each link", async () => {
    const link = { status: "suppressed", since: "2026-11-22T19:00:00Z", reason: "404" };
    const records = [{ recordId: "r1", title: "=1+1", syndicatedAt: "2026-10-06T00:00:00.000Z", link }];
    const request = consoleRequest("/console/records?collection=bees&format=csv", {
      answers: { "GET /records": { records } },
    });
    const answer = await pageAt("GET", "/console/records").answer(request);
    expect(answer).toMatchObject({
      csv: expect.stringContaining("'=1+1,2026-10-06T00:00:00.000Z,bees,suppressed: 404,"),
    });
    expect(request.calls[0]?.path).toBe("/records?collection=bees&limit=200");
  });
});

describe("the rules", () => {
  const rule = { recordType: "regular", tag: "100", subfield: "a", presence: "always", regex: null };
  const show = async (rules: object[]) => {
    const answers = { "GET /validation-rules": { rules } };
    return bodyOf(
      await pageAt("GET", "/console/rules").answer(consoleRequest("/console/rules", { answers })),
    );
  };

  it("of one source alone → none holds for all, and the way to the source's", async () => {
    const body = await show([
      { source: "demo", ...rule },
      { source: "demo", ...rule, subfield: "4" },
    ]);
    expect(body).toContain("No rule applies to all sources");
    expect(body).toMatch(/<a href="\/console\/rules\?source=demo">demo<\/a> \(2\)/);
  });

  it("none → says that the standard rules alone refuse records", async () => {
    expect(await show([])).toContain("There are no rules yet");
  });
});

describe("an action on thousands of refused records", () => {
  const path = "/console/refused";
  const reasons = [
    { reason: "missing-title:245a", ruleId: "missing-title", count: 2500, sources: [], sourceCount: 3 },
  ];
  const form = {
    mode: "LIVE",
    reason: "missing-title:245a",
    which: "all",
    decision: "release",
    confirmed: "yes",
  };
  const answers = (next?: string) => ({
    "GET /refused-records/reasons": { reasons },
    "POST /refused-records/release": {
      records: Array.from({ length: 500 }, (_, id) => ({
        id: `${id}`,
        outcome: id < 2 ? "claimed" : "released",
      })),
      next,
    },
  });
  const send = (more: Record<string, string>, next?: string) => {
    const request = consoleRequest(path, { answers: answers(next), form: { ...form, note: "why", ...more } });
    return { request, answer: pageAt("POST", path).answer(request) };
  };
  const fieldsOf = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );

  it("two calls per page → how far it is, and a form that continues there", async () => {
    const { request, answer } = send({}, "place");
    const body = await bodyOf(await answer);
    expect(request.calls.map((call) => call.method)).toEqual(["GET", "POST", "POST"]);
    expect(body).toContain("1\u202f000 of 2\u202f500 records");
    expect(body).toContain("data-go-on");
    expect(fieldsOf(body)).toMatchObject({
      ...form,
      note: "why",
      after: "place",
      counts: "claimed:4,released:996",
    });
  });

  it("the last of it → the list again, with the outcomes of all pages", async () => {
    const { request, answer } = send({ after: "place", counts: "claimed:4,released:1996", total: "2500" });
    expect(await answer).toMatchObject({
      redirect: "/console/refused?mode=LIVE&reason=missing-title%3A245a",
      notice: {
        text: "Release, 2\u202f500 records: 6 not delivered until their run has ended, 2\u202f494 released",
      },
    });
    expect(request.calls.map(({ method, body }) => [method, (body as { after: string }).after])).toEqual([
      ["POST", "place"],
    ]);
  });
});

describe("the archive", () => {
  const entry = {
    recordId: "r1",
    state: "automatic",
    sourceId: "s",
    title: "T",
    urls: [],
    at: "2026-11-20T12:00:00Z",
  };

  it.each([
    ["a DOI", "10.1000/182", "/archive?doi=10.1000%2F182&mode=LIVE"],
    [
      "a DOI as an address",
      "https://doi.org/10.1000/182",
      "/archive?doi=https%3A%2F%2Fdoi.org%2F10.1000%2F182&mode=LIVE",
    ],
    ["a URL", "https://a.example/1?x=1", "/archive?url=https%3A%2F%2Fa.example%2F1%3Fx%3D1&mode=LIVE"],
    ["a hash", "0123456789abcdef".repeat(4), `/archive?hash=${"0123456789abcdef".repeat(4)}&mode=LIVE`],
    ["a title", "on bees", "/archive-titles?title=on+bees&mode=LIVE&limit=50"],
  ])("%s → asked for as such, with buttons for the states of what is marked", async (_what, q, path) => {
    const answers = { "GET /archive": entry, "GET /archive-titles": { entries: [entry] } };
    const request = consoleRequest(`/console/archive?q=${encodeURIComponent(q)}`, { answers });
    const body = await bodyOf(await pageAt("GET", "/console/archive").answer(request));
    expect(request.calls.map((call) => call.path)).toEqual([path]);
    expect(body).toContain('name="id" value="r1"');
    expect(body.match(/<button name="state"/g)).toHaveLength(3);
  });
});

describe("the search", () => {
  const search = (text: string, answers: Record<string, unknown>) => {
    const request = consoleRequest(`/console/search?q=${encodeURIComponent(text)}`, {
      answers: { "GET /sources": { sources: [] }, ...answers },
    });
    return pageAt("GET", "/console/search").answer(request);
  };

  it.each([
    ["a DOI", "doi:10.1000/182", { "GET /archive": { recordId: "r1", title: "T" } }, "/console/records/r1"],
    [
      "a URL",
      "https://a.example/1",
      { "GET /archive": { recordId: "r1", title: "T" } },
      "/console/records/r1",
    ],
    ["an id", "r1", { "GET /records/r1": { recordId: "r1", title: "T" } }, "/console/records/r1"],
    ["a host", "a.example", { "GET /hosts/a.example": {} }, "/console/hosts/a.example"],
    [
      "a title",
      "bees",
      {
        "GET /sources": {
          sources: [
            { sourceId: "b1", title: "Bees" },
            { sourceId: "b2", title: "Bees of today" },
          ],
        },
      },
      "/console/sources/b1",
    ],
    [
      "an ISSN, named as one",
      "ISSN 1234-5679",
      { "GET /sources": { sources: [{ sourceId: "b1", title: "Bees" }] } },
      "/console/sources/b1",
    ],
  ])("%s → its page, at once", async (_what, text, answers, redirect) => {
    expect(await search(text, answers)).toEqual({ redirect });
  });

  it("several → a list", async () => {
    const sources = [
      { sourceId: "b1", title: "Bees" },
      { sourceId: "b2", title: "Bees of today" },
    ];
    const body = await bodyOf(await search("bee", { "GET /sources": { sources } }));
    expect(body).toContain('href="/console/sources/b2"');
  });
});

describe("Deliveries", () => {
  const page = (waiting: object[], needs: object[] = []) =>
    show("/console/deliveries", {
      answers: {
        "GET /deliveries": { deliveries: [] },
        "GET /deliveries/waiting": { files: waiting },
        "GET /today": { needs, nextRuns: [{ mode: "LIVE", at: "2026-11-22T19:00:00.000Z" }] },
      },
    });
  const file = {
    fileName: "b_zotero_261121_001.xml",
    ...{ groupId: "b", records: 1200, runId: "live-21", deliveryMode: "LIVE" },
    runStartedAt: "2026-11-21T19:00:00.000Z",
  };
  const failure = { stage: "upload", reason: markup, at: "2026-11-21T19:05:00.000Z" };

  it("a file that its receiver refused → why, since when, and when it is sent next; the way to its run", async () => {
    const body = await page(
      [{ ...file, failure }],
      [{ type: "run-failed", runId: "live-21", stage: "upload", reason: "refused" }],
    );
    expect(body).toContain("Waiting files");
    expect(body).toContain("&lt;img src=x");
    expect(body).not.toContain("<img");
    expect(body).toContain("1\u202f200");
    for (const at of ["2026-11-21T19:05:00.000Z", "2026-11-22T19:00:00.000Z"]) expect(body).toContain(at);
    expect(body).toContain('href="/console/runs/live-21"');
    expect(body).not.toContain("A delivery waits at");
  });

  it("a file that is being sent → no time of a next attempt", async () => {
    const body = await page([file]);
    expect(body).toContain("in transit");
    expect(body).not.toContain("2026-11-22T19:00:00.000Z");
  });

  it("a run that has stopped before its files were written → its stage and reason", async () => {
    const body = await page([], [{ type: "run-failed", runId: "live-21", stage: "validate", reason: "why" }]);
    expect(body).toContain("A delivery waits at validate: why");
    expect(body).not.toContain("Waiting files");
  });
});

describe("an import with many changes", () => {
  const progress = (job: { status: string; [field: string]: unknown }) => {
    const asked = { by: "anna", requestedAt: "2026-11-22T19:00:00Z", total: 1000 };
    const isEnded = !["waiting", "running"].includes(job.status);
    const ended = isEnded ? { endedAt: "2026-11-22T19:20:00Z" } : {};
    const answers = { "GET /config/imports/i": { ...asked, ...ended, ...job } };
    return show("/console/sources/imports/{id}", { params: { id: "i" }, answers });
  };

  it("running → how far it is", async () => {
    const body = await progress({ status: "running", applied: 500 });
    expect(body).toContain('<progress max="1000" value="500"');
    expect(body).toMatch(/500 of 1\u202f000 changes/);
  });

  it("stopped → how far it is and why, without a reload", async () => {
    const body = await progress({ status: "stopped", applied: 500, reason: markup });
    expect(body).toContain("The import has stopped");
    expect(body).toMatch(/500 of 1\u202f000 changes/);
    expect(body).toContain("&lt;img src=x");
    expect(body).not.toContain("<progress");
  });

  it("ended, without some sources → their names and why", async () => {
    const failed = [{ kind: "source", id: "ixtheo-1", reason: markup }];
    const body = await progress({ status: "done", applied: 1000, failed, failedCount: 1 });
    expect(body).toMatch(/999 of 1\u202f000 changes/);
    expect(body).toContain("source ixtheo-1");
    expect(body).toContain("&lt;img src=x");
    expect(body).not.toContain("<progress");
  });
});
