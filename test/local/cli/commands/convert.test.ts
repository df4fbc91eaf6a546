import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subfieldValues } from "../../../../shared/marc/fields.ts";
import { parseIso2709 } from "../../../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../../../shared/marc/marcxml-reader.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { listen } from "../../../listen.ts";
import { recordsOf } from "../../../shared/marc/sample.ts";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeEmptyLists } from "./empty-lists.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const title = "A journal : of tests";
const article = {
  itemType: "journalArticle",
  title: "On Bees",
  creators: [{ firstName: "Ada", lastName: "Miller", creatorType: "author" }],
  date: "2021-05-06",
  volume: "12",
  issue: "3",
  url: "https://example.org/bees",
};

const asked: string[] = [];
const server = createServer(({ method, url = "" }, answer) => {
  if (url !== "/robots.txt") asked.push(`${method} ${url}`);
  if (url.startsWith("/names")) return answer.end('<a href="https://d-nb.info/gnd/123X">Miller, Ada</a>');
  if (url.startsWith("/ill")) answer.statusCode = 404;
  return answer.end(url === "/language/string" ? "de" : "");
});
const folder = temporaryFolder();
writeEmptyLists(folder);
let origin = "";
let conf = "";

beforeAll(async () => {
  origin = await listen(server);
  conf = configuration(
    [...journal, "zotero_expected_languages = ?eng,ger"],
    ["default_download_delay_time = 0", "max_download_delay_time = 0"],
  ).replace(/(author_swb_lookup_url = ).*/g, `$1${origin}/names?q=`);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function convert(items: unknown, ...options: string[]) {
  asked.length = 0;
  const files = [file("items.json", JSON.stringify(items)), "--config", file("x.conf", conf)];
  return runCommand(["convert", ...files, "--source", title, "--allow-private", ...options]);
}

describe("what is written", () => {
  it("no folder of maps → one warning with the effect of each list, and the record", async () => {
    const strange = file(
      "no-maps.conf",
      conf.replace("enhancement_maps_directory = maps", "enhancement_maps_directory = none"),
    );
    const { code, stderr } = await convert([article], "--config", strange);
    expect(code).toBe(0);
    expect(
      stderr.match(/^warning: enhancement_maps_directory: there is no folder "[^"]*none": .*; .*; .*/gm),
    ).toHaveLength(1);
  });

  it("--format json → a line per record with its hash; the name is looked up, the language detected by Tika", async () => {
    const { code, stdout, stderr } = await convert([article], "--format", "json", "--tika", origin);
    expect([code, stderr]).toEqual([0, ""]);
    const [record, ...more] = jsonLines(stdout);
    expect(more).toEqual([]);
    expect(record).toEqual({
      leader: "00000nab a22004452  4500",
      control: expect.arrayContaining([
        ["001", expect.stringMatching(/^IxTheo#\d{4}-\d\d-\d\d#[0-9A-F]{40}$/)],
      ]),
      fields: expect.arrayContaining([
        ["041", "  ", [["a", "ger"]]],
        ["100", "1 ", expect.arrayContaining([["0", "(DE-588)123X"]])],
      ]),
      hash: expect.stringMatching(/^[0-9A-F]{40}$/),
    });
    expect(asked.toSorted()).toEqual(["GET /names?q=Miller%2C%20Ada", "PUT /language/string"]);
  });

  it("no --format → MARCXML; no --tika → the embedded detector", async () => {
    const { code, stdout } = await convert([article]);
    expect(code).toBe(0);
    expect(await recordsOf(readMarcXml([Buffer.from(stdout)]))).toEqual([
      expect.objectContaining({
        fields: expect.arrayContaining([["245", "00", [["a", "On Bees"]]]]),
      }),
    ]);
    expect(asked).toEqual(["GET /names?q=Miller%2C%20Ada"]);
  });

  it("--format iso2709 → records one after the other", async () => {
    const { stdout } = await convert([article], "--format", "iso2709");
    expect(parseIso2709(Buffer.from(stdout))).toMatchObject({ type: "record" });
  });

  it("--url → the page of an item that has none", async () => {
    const { url: _url, ...bare } = { ...article, DOI: "10.5555/bees" };
    const { stdout } = await convert([bare], "--format", "json", "--url", "https://example.org/page");
    expect(jsonLines(stdout)[0].fields).toContainEqual(["URL", "  ", [["a", "https://example.org/page"]]]);
  });

  it("the same name twice → requested once", async () => {
    await convert([article, { ...article, title: "More on Bees" }]);
    expect(asked).toEqual(["GET /names?q=Miller%2C%20Ada"]);
  });
});

describe("warnings and reasons", () => {
  it("bad items among good ones → each dropped with its reason, exit code 1, the others converted", async () => {
    const items = [
      { ...article, date: "some day" },
      article,
      { itemType: "note", note: "abs:A text" },
      "text",
      { itemType: "webpage", title: "No entry" },
      { ...article, title: "x".repeat(5000), date: "y".repeat(5000) },
    ];
    const { code, stdout, stderr } = await convert(items, "--format", "json");
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toHaveLength(1);
    expect(stderr).toContain(
      `dropped: unreadable-date: some day (item 1 ${article.title} <${article.url}>)\n`,
    );
    expect(stderr).toMatch(/^dropped: malformed: .* \(item 4\)$/m);
    expect(stderr).toContain("dropped: webpage: No entry (item 5 No entry)\n");
    expect(stderr).toMatch(/^dropped: unreadable-date: y{1,999}… \(item 6 x{100} <https.{1,100}>\)$/m);
  });

  it("a record too long for ISO 2709 → dropped there, by place, title and address", async () => {
    const long = { ...article, title: "x".repeat(10_000) };
    const { code, stderr } = await convert([long], "--format", "iso2709");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^dropped: too-long: field 245 .* \(item 1 x{100} <https.{1,100}>\)$/m);
  });

  it("halves of surrogate pairs and control characters → replaced, each field with a warning", async () => {
    const damaged = { ...article, title: "Bees \ud83d and\u0000wax", volume: "1\u00012" };
    const { code, stdout, stderr } = await convert([article, damaged], "--format", "json");
    expect(code).toBe(0);
    expect(stdout).toContain("Bees \ufffd and wax");
    const place = `(item 2 Bees \ufffd and\\x00wax <${article.url}>)`;
    const told = "has invalid characters";
    expect(stderr).toContain(
      `warning: title ${told} (U+D83D, U+0000); they were replaced by blanks or U+FFFD ${place}\n`,
    );
    expect(stderr).toContain(`warning: volume ${told} (U+0001)`);
  });

  it("a lookup that fails → a warning, no record lost", async () => {
    const before = conf;
    conf = conf.replaceAll("/names?q=", "/ill?q=");
    const { code, stdout, stderr } = await convert([article], "--format", "json");
    conf = before;
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toHaveLength(1);
    expect(stderr).toMatch(/^warning: .*404.* \(item 1 On Bees /m);
  });

  it("an unknown key in the configuration → a warning", async () => {
    const before = conf;
    conf = `${conf}strange = 1\n`;
    const { stderr } = await convert([article]);
    conf = before;
    expect(stderr).toContain(`warning: Invalid ini entry "strange" in section "${title}"\n`);
  });
});

describe("documents", () => {
  const dublinCore = (name: string) =>
    `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${name}</dc:title></oai_dc:dc>`;
  const oaiRecord = (id: string, metadata: string) =>
    `<record><header><identifier>${id}</identifier><datestamp>2026-01-01</datestamp></header><metadata>${metadata}</metadata></record>`;
  const list = (...records: string[]) =>
    `<ListRecords xmlns="http://www.openarchives.org/OAI/2.0/">${records.join("")}</ListRecords>`;

  async function convertFile(content: string | Buffer, from: string) {
    const files = [file("documents.xml", content), "--config", file("x.conf", conf)];
    const result = await runCommand([
      "convert",
      ...files,
      "--source",
      title,
      "--from",
      from,
      "--format",
      "json",
    ]);
    const records = jsonLines(result.stdout) as MarcRecord[];
    return { ...result, titles: records.flatMap((record) => subfieldValues(record, "245", "a")) };
  }

  it.each([
    ["one", "oai_dc", dublinCore("A"), ["A"]],
    [
      "an answer of OAI-PMH",
      "oai_dc",
      `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>r</request>${list(oaiRecord("a", dublinCore("A")), oaiRecord("b", dublinCore("B")))}</OAI-PMH>`,
      ["A", "B"],
    ],
    [
      "the records of a harvest",
      "oai_dc",
      `<?xml version="1.0"?>\n${list(oaiRecord("a", dublinCore("A")))}`,
      ["A"],
    ],
    [
      "a collection of MODS, with namespaces at its root",
      "mods",
      '<m:modsCollection xmlns:m="http://www.loc.gov/mods/v3"><m:mods><m:titleInfo><m:title>A</m:title></m:titleInfo></m:mods> <m:mods ID="b"><m:titleInfo><m:title>B</m:title></m:titleInfo></m:mods></m:modsCollection>',
      ["A", "B"],
    ],
    [
      "a collection of MARCXML",
      "marcxml",
      '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader><datafield tag="245" ind1="0" ind2="0"><subfield code="a">A</subfield></datafield></record></collection>',
      ["A"],
    ],
  ])("%s → records", async (_title, from, content, titles) => {
    const done = await convertFile(content, from);
    expect([done.code, done.stderr, done.titles]).toEqual([0, "", titles]);
  });

  it("MARC-8, and a bad record of MARCXML → read, and dropped alone", async () => {
    const record = (id: string, text: string) =>
      `<record><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">${id}</controlfield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${text}</subfield></datafield></record>`;
    const collection = `<collection xmlns="http://www.loc.gov/MARC21/slim">${record("a", "A")}${record("b", "&x;")}${record("c", "C")}</collection>`;
    const { code, stderr, titles } = await convertFile(collection, "marcxml");
    expect([code, titles]).toEqual([1, ["A", "C"]]);
    expect(stderr).toBe("dropped: malformed: record 2 at line 1: undefined entity. (document 2 b)\n");
    const marc8 = "00055nam  2200037 a 4500245001700000\x1e00\x1faT\xe8ursch\xe8on A\x1e\x1d";
    const bytes = Buffer.from(marc8, "latin1");
    expect((await convertFile(bytes, "marcxml")).titles).toEqual(["Türschön A"]);
  });

  it("bad ones among good ones → each dropped with its reason and place, exit code 1", async () => {
    const mods = '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>M</title></titleInfo></mods>';
    const content = list(
      oaiRecord("a", dublinCore("A")),
      oaiRecord("b", dublinCore("")),
      oaiRecord("c", mods),
    );
    const { code, titles, stderr } = await convertFile(content, "oai_dc");
    expect([code, titles]).toEqual([1, ["A"]]);
    expect(stderr).toMatch(/dropped: malformed: it has no Dublin Core element \(document 2 b\)/);
    expect(stderr).toMatch(/dropped: no-crosswalk: it is mods, not oai_dc \(document 3 c\)/);
  });

  it.each([
    ["mods", "no XML", /^FILE\.xml: is not XML/],
    ["mods", '<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods>', /^FILE\.xml: is not well-formed: /],
    ["dc", dublinCore("A"), /^--from: must be one of oai_dc, oai_qdc, mods, marcxml \(got "dc"\)/],
  ])("--from %s and %s → exit code 2", async (from, content, says) => {
    const { code, stderr } = await convertFile(content, from);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
});

describe("wrong use", () => {
  it.each<{ title: string; args: () => string[]; says: RegExp }>([
    { title: "no items", args: () => [], says: /^ITEMS\.json: / },
    { title: "no configuration", args: () => [file("i.json", "[]")], says: /^--config: / },
    {
      title: "items that are not a list",
      args: () => [file("i.json", "{}"), "--config", file("x.conf", conf), "--source", title],
      says: /^ITEMS\.json: must be a list of items/,
    },
    {
      title: "a configuration in Latin-1",
      args: () => [
        file("i.json", "[]"),
        ...["--config", file("l.conf", Buffer.from("a = b\nc = \u00e4", "latin1")), "--source", title],
      ],
      says: /^--config: line 2 is not UTF-8/,
    },
    {
      title: "an unknown source",
      args: () => [file("i.json", "[]"), "--config", file("x.conf", conf), "--source", "journal"],
      says: /^--source: no source has this name or id \(1 in the file\); similar: "A journal : of tests" \(got "journal"\)/,
    },
    {
      title: "a source whose section cannot be used",
      args: () => [
        file("i.json", "[]"),
        ...["--config", file("z.conf", `${conf}zotero_update_window = soon`), "--source", "ixtheo-4711"],
      ],
      says: /^--source: its section cannot be used:\n {2}line \d+: invalid unsigned entry "zotero_update_window"/,
    },
    {
      title: "an unusable configuration",
      args: () => [file("i.json", "[]"), "--config", file("y.conf", "groups"), "--source", title],
      says: /^--config: cannot be used:\n {2}line 1: /,
    },
    {
      title: "an unknown format",
      args: () => [file("i.json", "[]"), "--format", "mods"],
      says: /^--format: must be one of marcxml, iso2709, json \(got "mods"\)/,
    },
    {
      title: "a Tika server that is not a URL",
      args: () => [
        file("i.json", "[]"),
        ...["--config", file("x.conf", conf), "--source", title, "--tika", "tika:9998"],
      ],
      says: /^--tika: must be an http or https URL \(got "tika:9998"\)/,
    },
  ])("$title → exit code 2, said which", async ({ args, says }) => {
    const { code, stdout, stderr } = await runCommand(["convert", ...args()]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(says);
  });
});
