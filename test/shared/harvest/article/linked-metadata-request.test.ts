import { afterEach, describe, expect, it } from "vitest";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { HarvestWorld } from "../harvest-world.ts";
import { MockHost, type MockResponse } from "../mock-hosts.ts";

const hosts: MockHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

type Site = Record<string, string | MockResponse>;

/** A page that says its title, and what is given. */
function page(...head: string[]): string {
  return `<!doctype html><head><title>x</title><meta name="citation_title" content="On Wells">${head.join("")}`;
}

const risLink = '<link rel="alternate" type="application/x-research-info-systems" href="/cite.ris">';
const bibLink = '<link rel="alternate" type="text/plain; charset=utf-8" title="BibTeX" href="/cite/1">';
const unapi =
  '<link rel="unapi-server" type="application/xml" title="unAPI" href="/unapi"><abbr class="unapi-id" title="a:1"></abbr>';
const enough =
  '<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_date" content="2026"><meta name="citation_volume" content="3">';

/** Says all but when it was published. */
const undated =
  '<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="3">';

const ris = (title: string, author = "Risley, Ann") =>
  `TY  - JOUR\nTI  - ${title}\nAU  - ${author}\nPY  - 2020\nVL  - 7\nIS  - 2\nT2  - Well Journal\nER  - \n`;
const bibtex =
  "@article{k, title={On Wells}, author={Bibb, Ben}, year={2021}, volume={8}, journal={Well Journal}}";
const formats = (...names: string[]): MockResponse => ({
  body: `<?xml version="1.0"?><formats id="a:1">${names.map((name) => `<format name="${name}" type="text/plain"/>`).join("")}</formats>`,
  contentType: "application/xml",
});

async function worldOf(site: Site) {
  const host: MockHost = await MockHost.start(({ path }) => {
    const given = site[path];
    if (given === undefined) return { status: 404 };
    const answer = typeof given === "string" ? { body: given } : given;
    return { ...answer, body: String(answer.body ?? "").replaceAll("SITE", host.origin) };
  });
  hosts.push(host);
  const world = new HarvestWorld({ hosts: [host] });
  world.memory.addGroup("Test");
  const value = source.parse({
    sourceId: "a",
    title: "A Journal",
    groupId: "Test",
    deliveryMode: "LIVE",
    type: "DIRECT",
    url: `${host.origin}/1`,
  });
  world.memory.sourcesById.set(value.sourceId, value);
  return { world, host };
}

/** The paths that were requested, and of the record its author and volume, and the warnings, without the host's name and that of a record without a date. */
async function harvest(site: Site, death?: HarvestWorld["killAfter"]) {
  const { world, host } = await worldOf(site);
  world.killAfter = death;
  const { documents } = await world.harvest();
  const [document] = documents;
  const fields =
    world.memory.marcByKey.get((document as ConvertedDocument | undefined)?.recordKey ?? "")?.fields ?? [];
  const value = (tag: string, code: string) =>
    fields.find(([t]) => t === tag)?.[2].find(([c]) => c === code)?.[1];
  return {
    documents,
    asked: host.requests.map(({ path }) => path).filter((path) => path !== "/robots.txt"),
    author: value("100", "a"),
    volume: value("936", "d"),
    warnings:
      document?.state === "converted"
        ? document.warnings
            .filter((warning) => !warning.startsWith("the item has no date"))
            .map((warning) => warning.replaceAll(host.origin, "HOST"))
        : [],
    deliveries: world.deliveries.length,
  };
}

describe("an article whose page lacks metadata", () => {
  it.each<
    [string, Site, { asked: string[]; author: string | undefined; volume?: string; warnings?: string[] }]
  >([
    [
      "a page with complete metadata → its RIS is not requested",
      { "/1": page(enough, risLink), "/cite.ris": ris("On Wells") },
      { asked: ["/1"], author: "Pell, Ottoline", volume: "3" },
    ],
    [
      "a page without place and date → from its RIS, its own author first",
      {
        "/1": page('<meta name="citation_author" content="Pell, Ottoline">', risLink),
        "/cite.ris": ris("On Wells"),
      },
      {
        asked: ["/1", "/cite.ris"],
        author: "Pell, Ottoline",
        volume: "7",
        warnings: ["creators Ottoline Pell: page; linked-record: Ann Risley [witnesses-disagree]"],
      },
    ],
    [
      "BibTeX as EPrints links it → read",
      { "/1": page(bibLink), "/cite/1": bibtex },
      { asked: ["/1", "/cite/1"], author: "Bibb, Ben", volume: "8" },
    ],
    [
      "MODS and RIS → MODS",
      {
        "/1": page(risLink, '<link rel="alternate" type="application/mods+xml" href="/mods">'),
        "/mods": {
          body: '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>On Wells</title></titleInfo><name><namePart>Modder, Mo</namePart></name><part><detail type="volume"><number>6</number></detail></part></mods>',
          contentType: "application/xml",
        },
        "/cite.ris": ris("On Wells"),
      },
      { asked: ["/1", "/mods"], author: "Modder, Mo", volume: "6" },
    ],
    [
      "RIS and BibTeX → RIS",
      { "/1": page(bibLink, risLink), "/cite/1": bibtex, "/cite.ris": ris("On Wells") },
      { asked: ["/1", "/cite.ris"], author: "Risley, Ann", volume: "7" },
    ],
    [
      "RIS that is a page of HTML → BibTeX, and a warning",
      { "/1": page(bibLink, risLink), "/cite/1": bibtex, "/cite.ris": "<!doctype html><p>Log in" },
      {
        asked: ["/1", "/cite.ris", "/cite/1"],
        author: "Bibb, Ben",
        volume: "8",
        warnings: [
          "the page's ris record could not be used: HOST/cite.ris is not valid ris: it has no line with TY",
        ],
      },
    ],
    [
      "RIS that is gone → the page alone, and a warning",
      { "/1": page(undated, risLink) },
      {
        asked: ["/1", "/cite.ris"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: ["the page's ris record could not be used: HOST/cite.ris answered 404"],
      },
    ],
    [
      "RIS that robots.txt forbids → not requested, and a warning",
      {
        "/1": page(undated, risLink),
        "/cite.ris": ris("On Wells"),
        "/robots.txt": { body: "User-agent: *\nDisallow: /cite", contentType: "text/plain" },
      },
      {
        asked: ["/1"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: [expect.stringMatching(/ris record could not be used: not fetched \(robots/) as string],
      },
    ],
    [
      "RIS of another work → the page alone, and a warning",
      {
        "/1": page(undated, risLink),
        "/cite.ris": ris("Owls"),
      },
      {
        asked: ["/1", "/cite.ris"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: ["the page's linked record is about another work and was not used"],
      },
    ],
    [
      "RIS of several works → the page's own",
      { "/1": page(risLink), "/cite.ris": `${ris("Owls", "Wrong, W.")}${ris("On Wells")}` },
      { asked: ["/1", "/cite.ris"], author: "Risley, Ann", volume: "7" },
    ],
    [
      "unAPI → its formats, then the one that Zotero prefers, believed before the page",
      {
        "/1": page('<meta name="citation_author" content="Pell, Ottoline">', risLink, unapi),
        "/unapi?id=a%3A1": { ...formats("oai_dc", "marcxml", "bibtex", "ris"), status: 300 },
        "/unapi?id=a%3A1&format=ris": ris("On Wells"),
      },
      {
        asked: ["/1", "/unapi?id=a%3A1", "/unapi?id=a%3A1&format=ris"],
        author: "Risley, Ann",
        volume: "7",
      },
    ],
    [
      "unAPI with Dublin Core alone → what the page leaves open, and nothing else, is taken from it",
      {
        "/1": page('<meta name="citation_volume" content="3">', unapi),
        "/unapi?id=a%3A1": formats("oai_dc"),
        "/unapi?id=a%3A1&format=oai_dc":
          '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On Wells</dc:title><dc:creator>Core, Dee</dc:creator><dc:date>2020</dc:date><dc:source>vol. 9</dc:source></oai_dc:dc>',
      },
      {
        asked: ["/1", "/unapi?id=a%3A1", "/unapi?id=a%3A1&format=oai_dc"],
        author: "Core, Dee",
        volume: "3",
      },
    ],
    [
      "unAPI without a format that is read → the linked file, and a warning",
      {
        "/1": page(risLink, unapi),
        "/unapi?id=a%3A1": formats("marcxml"),
        "/cite.ris": ris("On Wells"),
      },
      {
        asked: ["/1", "/unapi?id=a%3A1", "/cite.ris"],
        author: "Risley, Ann",
        volume: "7",
        warnings: [
          "the page's unapi record could not be used: HOST/unapi?id=a%3A1 offers no supported format",
        ],
      },
    ],
    [
      "several unAPI ids → those of a list, not requested",
      { "/1": page(undated, unapi, '<abbr class="unapi-id" title="a:2"></abbr>') },
      { asked: ["/1"], author: "Pell, Ottoline", volume: "3" },
    ],
    [
      "a record of another site → not requested, and a warning",
      { "/1": page(undated, risLink.replace("/cite.ris", "https://other.example/cite.ris")) },
      {
        asked: ["/1"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: [
          "the page's ris record is on another site and was not requested: https://other.example/cite.ris",
        ],
      },
    ],
    [
      "a thousand records on other sites → the first two are reported",
      {
        "/1": page(
          undated,
          ...Array.from({ length: 1000 }, (_, n) =>
            risLink.replace("/cite.ris", `https://other.example/${n}`),
          ),
        ),
      },
      {
        asked: ["/1"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: [0, 1].map(
          (n) => `the page's ris record is on another site and was not requested: https://other.example/${n}`,
        ),
      },
    ],
    [
      "a page that links to itself as its record → requested once",
      { "/1": page(undated, risLink.replace("/cite.ris", "/1")) },
      { asked: ["/1"], author: "Pell, Ottoline", volume: "3" },
    ],
    [
      "more records than the limit → the first two",
      { "/1": page(undated, ...["/a", "/b", "/c"].map((path) => risLink.replace("/cite.ris", path))) },
      {
        asked: ["/1", "/a", "/b"],
        author: "Pell, Ottoline",
        volume: "3",
        warnings: ["/a", "/b"].map(
          (path) => `the page's ris record could not be used: HOST${path} answered 404`,
        ),
      },
    ],
    [
      "a page without any title → its RIS names it",
      { "/1": `<!doctype html><head>${risLink}`, "/cite.ris": ris("On Wells") },
      { asked: ["/1", "/cite.ris"], author: "Risley, Ann", volume: "7" },
    ],
  ])("%s", async (_title, site, { asked, author, volume, warnings = [] }) => {
    const result = await harvest(site);
    expect(result).toMatchObject({ asked, author, warnings });
    expect(result.volume).toBe(volume);
    expect(result.documents).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ["without a title", `<!doctype html><head>${risLink}`, "no-title: the page has no title"],
    ["without an issue", page(risLink), "online-first: it has no volume, no issue and no DOI"],
  ])("a page %s whose RIS is gone → dropped, with both reasons", async (_what, site, reason) => {
    const { documents } = await harvest({ "/1": site });
    const why = `${reason}; the page's ris record could not be used: http://`;
    expect(documents).toMatchObject([{ state: "dropped", reason: expect.stringContaining(why) }]);
  });

  it("every function interrupted once, at any of its writes, and repeated → one document", async () => {
    const site = {
      "/1": page(risLink, unapi),
      "/unapi?id=a%3A1": formats("ris"),
      "/unapi?id=a%3A1&format=ris": ris("On Wells"),
    };
    for (const before of [true, false]) {
      for (let writes = 0; writes < 5; writes += 1) {
        const { documents, deliveries } = await harvest(site, { writes, before });
        expect(documents, `write ${writes}, ${before}`).toMatchObject([{ title: "On Wells" }]);
        expect(deliveries, `write ${writes}, ${before}`).toBeGreaterThan(0);
      }
    }
  });
});
