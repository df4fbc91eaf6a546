import { describe, expect, it } from "vitest";
import { reconvertWith } from "../../../../shared/harvest/article/reconvert-record.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { keepDocuments } from "../../../../shared/records/documents/keep-documents.ts";
import type { Reconverted } from "../../../../shared/records/reconversions/reconverted.ts";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import type { HarvestWorld } from "../harvest-world.ts";
import type { MockResponse } from "../mock-hosts.ts";
import { feed, item, pathsOf, type Site, worldOf } from "../operations/site-world.ts";

const doi = "10.1234/bees";
const crossrefPath = "/works/10.1234%2Fbees";

const page = (more = "") => `<meta name="citation_title" content="T /1">
<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="12">
<meta name="citation_issue" content="3"><meta name="citation_date" content="2014">${more}`;

interface Given {
  site?: Site;
  source?: Partial<NewSource>;
  group?: object;
  translations?: Record<string, MockResponse>;
}

/** Harvests the articles of a feed, and converts the first record again. */
async function harvested({ site = { "/1": page() }, source: more = {}, group, translations }: Given) {
  const paths = Object.keys(site).filter((path) => /^\/\d$/.test(path));
  const { world, host, add } = await worldOf({
    site: { "/feed": feed(...paths), ...site },
    ...(translations && { translations }),
  });
  const agencyUrls = { crossref: `${host.origin}/works/` };
  if (group) world.memory.addGroup("Test", { agencyUrls, ...group });
  add({ url: "/feed", ...more });
  const { documents } = await world.harvest();
  const converted = documents.filter((one): one is ConvertedDocument => one.state === "converted");
  const [document] = converted;
  if (document === undefined) throw new Error(JSON.stringify(documents));
  const sent: NewRequest[] = [];
  const again = (asksAgencies = false): Promise<Reconverted> => {
    const stored = world.memory.recordsById.get(document.recordId);
    if (stored === undefined) throw new Error("no record");
    const ports = {
      ...world.memory,
      requests: { send: async (all: NewRequest[]) => void sent.push(...all) },
    };
    return reconvertWith({
      ...ports,
      detectLanguage: async () => ({ type: "unknown" }) as const,
      timeZone: "UTC",
    })({ ...stored, deliveryMode: "LIVE" }, { reconversionId: "again", asksAgencies });
  };
  const delivered = await world.memory.records.loadMarc(document.recordKey);
  return { world, host, document, converted, again, delivered, sent };
}

function changeSource({ memory }: HarvestWorld, more: Partial<NewSource>): void {
  const [stored] = memory.sourcesById.values();
  if (stored !== undefined)
    memory.sourcesById.set(stored.sourceId, source.parse({ ...stored, ...more } as NewSource));
}

/** The record that a conversion yields. @throws when it yields none */
function recordOf(reconverted: Reconverted): MarcRecord {
  if (reconverted.type !== "converted") throw new Error(JSON.stringify(reconverted));
  return reconverted.record;
}

const valueIn = ({ fields }: MarcRecord, tag: string) => fields.find(([each]) => each === tag)?.[2][0]?.[1];

describe("a delivered article, converted again from its stored page", () => {
  it.each<[string, Given, contains: string]>([
    ["an ordinary page", {}, '["d","12"]'],
    [
      "a page in the encoding that its header states, which is not its own",
      {
        site: {
          "/1": {
            body: page('<meta name="citation_abstract" content="Ä abstract that is long enough">'),
            contentType: "text/html; charset=windows-1252",
          },
        },
      },
      "Ã„ abstract",
    ],
    [
      "a page with a linked record",
      {
        site: {
          "/1": `<meta name="citation_title" content="T /1"><link rel="alternate" type="application/x-bibtex" href="/1.bib">`,
          "/1.bib": {
            body: "@article{a, title={T /1}, author={Pell, Ottoline}, year={2014}, volume={12}, journal={Bees}}",
            contentType: "application/x-bibtex",
          },
        },
      },
      '["d","12"]',
    ],
    [
      "a page that a translation server has translated",
      {
        site: { "/1": page().replace(/<meta name="citation_issue"[^>]*>/, "") },
        translations: { "SITE/1": { body: [item("/1", { issue: "77" })] } },
      },
      '["e","77"]',
    ],
  ])("%s → the same record, and no request", async (_what, given, contains) => {
    const { host, again, delivered, sent, document } = await harvested(given);
    const paths = pathsOf(host).length;
    expect(JSON.stringify(delivered)).toContain(contains);
    const reconverted = await again();
    expect(recordOf(reconverted)).toEqual(delivered);
    expect(reconverted).toMatchObject({
      content: { hash: document.hash, archiveKeys: document.archiveKeys, urls: document.urls },
    });
    expect(pathsOf(host)).toHaveLength(paths);
    expect(sent).toEqual([]);
  });

  it("an operator has written a recipe since → the record has what it reads", async () => {
    const { again, delivered, world } = await harvested({
      site: { "/1": page('<p class="volume">47</p>') },
    });
    expect(JSON.stringify(delivered)).toContain('["d","12"]');
    const toml =
      'name = "Bees"\nhosts = ["*"]\noverrides = ["volume"]\n[fields]\nvolume = { css = ".volume" }\n';
    world.memory.recipesById.set("bees", toml);
    expect(JSON.stringify(recordOf(await again()))).toContain('["d","47"]');
    world.memory.recipesById.delete("bees");
    expect(recordOf(await again())).toEqual(delivered);
  });

  it("two articles → each its own record", async () => {
    const { converted, world } = await harvested({
      site: { "/1": page(), "/2": page().replace("T /1", "T /2") },
    });
    expect(world.memory.storedPages.size).toBe(2);
    expect(converted.map(({ recordId }) => world.memory.recordsById.get(recordId)?.pageKey)).toEqual([
      ...world.memory.storedPages.keys(),
    ]);
  });

  it("after its source has changed → the new record, with the date of the first reading in 001", async () => {
    const { world, again, delivered } = await harvested({});
    changeSource(world, { expectedLanguages: { codes: ["ger"] } } as Partial<NewSource>);
    const record = recordOf(await again());
    expect(valueIn(delivered, "041")).toBeUndefined();
    expect(valueIn(record, "041")).toBe("ger");
    expect(record.control.find(([tag]) => tag === "001")?.[1]).toContain("#2026-11-20#");
  });

  it.each<[string, (world: HarvestWorld) => void, Reconverted]>([
    [
      "its page was deleted",
      ({ memory }) => memory.storedPages.clear(),
      { type: "gone", reason: "its stored page has been deleted" },
    ],
    [
      "its source was deleted",
      ({ memory }) => memory.sourcesById.clear(),
      { type: "unconvertible", reason: "its source has been deleted" },
    ],
    [
      "its source belongs to another group",
      (world) => {
        world.memory.addGroup("Other");
        changeSource(world, { groupId: "Other" });
      },
      {
        type: "unconvertible",
        reason: "its source now belongs to the group Other, and the record was delivered to Test",
      },
    ],
  ])("%s → not converted, with the reason", async (_what, change, expected) => {
    const { world, again } = await harvested({});
    change(world);
    expect(await again()).toEqual(expected);
  });

  it("a page above the budget → only its size is kept", async () => {
    const { again } = await harvested({
      site: { "/1": page(`<!-- ${"x".repeat(9 * 1024 * 1024)} -->`) },
    });
    expect(await again()).toMatchObject({
      type: "gone",
      reason: expect.stringMatching(/^its page was too large to be stored: 94\d{5} bytes$/),
    });
  });

  it("harvested twice → one page is kept", async () => {
    const { world } = await harvested({});
    await world.harvest({ scheduledTime: "2026-11-21T19:00:00Z" }).catch(() => {});
    expect(world.memory.storedPages.size).toBe(1);
  });
});

describe("an article whose DOI was registered", () => {
  const work = { DOI: doi, type: "journal-article", title: ["T /1"], volume: "12", page: "7-9" };
  const site = {
    "/1": page(`<meta name="citation_doi" content="${doi}">`),
    [crossrefPath]: { body: { message: work } },
  };
  const group = { doiAgencies: ["crossref"] };
  const retraction = {
    kind: "retracted",
    type: "retraction",
    of: doi,
    by: "10.1234/notice",
    day: "2026-11-02",
  };

  it("the agency's answer is no longer cached → the stored answer is used", async () => {
    const { world, again, delivered, sent } = await harvested({ site, group });
    world.memory.lookupsById.clear();
    expect(valueIn(delivered, "936")).toBeDefined();
    expect(recordOf(await again())).toEqual(delivered);
    expect(sent).toEqual([]);
  });

  it("the agency is to be asked again → it is asked, and the record waits", async () => {
    const { world, again, sent } = await harvested({ site, group });
    world.memory.lookupsById.clear();
    world.memory.now = new Date("2026-12-20T00:00:00Z");
    expect(await again(true)).toEqual({ type: "waiting" });
    expect(sent).toMatchObject([
      { kind: "doi-metadata", notAfter: "2026-12-20T00:30:00.000Z", context: { runId: "again" } },
    ]);
  });

  it("the agency now knows a retraction → the record has a note, the finding and the event", async () => {
    const { world, again, delivered } = await harvested({ site, group });
    for (const [id, { answer, until }] of world.memory.lookupsById) {
      if (answer.type !== "registered") continue;
      const notices = [retraction] as (typeof answer.work)["notices"];
      world.memory.lookupsById.set(id, { answer: { ...answer, work: { ...answer.work, notices } }, until });
    }
    const reconverted = await again();
    expect(valueIn(delivered, "500")).toBeUndefined();
    expect(valueIn(recordOf(reconverted), "500")).toBe(
      "Retraction: https://doi.org/10.1234/notice (2026-11-02)",
    );
    expect(reconverted).toMatchObject({
      content: { originFindings: [{ ruleId: "article-retracted" }] },
      events: [{ type: "document.retracted" }],
    });
  });
});

describe("a delivered document", () => {
  const raw = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On bees</dc:title><dc:creator>Pell, Ottoline</dc:creator><dc:date>2014</dc:date><dc:identifier>https://r.example/1</dc:identifier><dc:type>Article</dc:type></oai_dc:dc>`;

  async function keep(more: object = {}) {
    const memory = new MemoryPorts();
    memory.addGroup("Test");
    const value = {
      sourceId: "s",
      title: "S",
      type: "OAI-PMH",
      url: "https://r.example/oai",
      groupId: "Test",
    };
    memory.sourcesById.set("s", source.parse({ ...value, deliveryMode: "LIVE", ...more }));
    const content = { raw, mediaType: "application/xml", format: "oai_dc", metadata: {} };
    const ports = { documents: memory.documents, events: memory.events, requestFiles: async () => {} };
    const documents = [{ identifier: ["oai:1"] as const, content }];
    const [kept] = await keepDocuments({ sourceId: "s", listedAt: "2026-11-20T19:00:00Z", documents }, ports);
    const reconvert = reconvertWith({
      ...memory,
      requests: { send: async () => {} },
      detectLanguage: async () => ({ type: "unknown" }) as const,
      timeZone: "UTC",
    });
    const record = {
      recordId: kept?.documentId ?? "",
      sourceId: "s",
      groupId: "Test",
      landingUrl: "https://r.example/1",
      deliveryMode: "LIVE" as const,
    };
    const again = (recordId = record.recordId) =>
      reconvert({ ...record, recordId }, { reconversionId: "again", asksAgencies: false });
    return { memory, again };
  }

  it("→ converted from its last content, by the crosswalk of now, on the day of its version", async () => {
    const { again } = await keep();
    const reconverted = await again();
    expect(valueIn(recordOf(reconverted), "245")).toBe("On bees");
    expect(recordOf(reconverted).control.find(([tag]) => tag === "001")?.[1]).toMatch(/^Test#2026-11-20#/);
    expect(reconverted).toMatchObject({
      content: { title: "On bees", archiveKeys: ["url:r.example/1"], landingUrl: "https://r.example/1" },
      events: [],
    });
  });

  it("that is no longer stored, like an article of an earlier version → gone", async () => {
    const { again } = await keep();
    expect(await again("other")).toEqual({ type: "gone", reason: "its page was not stored" });
  });
});
