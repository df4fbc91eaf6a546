import { describe, expect, it } from "vitest";
import { OaiPageReader } from "../../../../shared/formats/oai/page-reader.ts";
import { type OaiPageResult, parseOaiPage } from "../../../../shared/formats/oai/parse-page.ts";
import { parseXmlTree } from "../../../../shared/xml/xml-tree.ts";

const record = (identifier: string, title = "T") => `<record>
  <header><identifier>${identifier}</identifier><datestamp>2024-01-02</datestamp><setSpec>a:b</setSpec></header>
  <metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></oai_dc:dc></metadata>
</record>`;
const answer = (content: string, { start = '<?xml version="1.0" encoding="UTF-8"?>\n', end = "" } = {}) =>
  `${start}<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2024-05-01T10:00:00Z</responseDate><request verb="ListRecords">http://r.example/oai</request>${content}</OAI-PMH>${end}`;
const list = (content: string, frame = {}) => answer(`<ListRecords>${content}</ListRecords>`, frame);

const parse = (text: string, contentType?: string) =>
  parseOaiPage(Buffer.from(text), {
    contentType,
    asXml: true,
    values: ({ local }) => local === "title",
  });

function summary(result: OaiPageResult): string {
  if (result.type !== "page") return result.type;
  const { page, flaw } = result;
  const content = page.records.map(({ identifier, values }) => `${identifier}=${values[0]?.text}`);
  return [...content, ...page.errors.map(({ code }) => code), ...(flaw === undefined ? [] : ["flawed"])].join(
    " ",
  );
}

describe("parseOaiPage", () => {
  it.each([
    ["a list → its records", list(record("1") + record("2")), "1=T 2=T"],
    ["a byte order mark → the same", `\ufeff${list(record("1"))}`, "1=T"],
    ["references and CDATA → their text", list(record("1", "a &amp; b<![CDATA[ & c]]>")), "1=a & b & c"],
    ["a blank line before the declaration → mended", `\n\n${list(record("1"))}`, "1=T flawed"],
    ["a bare & → mended", list(record("1", "A & B")), "1=A & B flawed"],
    ["an entity of HTML → mended", list(record("1", "a&nbsp;b &eacute;")), "1=a\u00a0b é flawed"],
    [
      "U+0003, U+000B, U+001A, U+FFFE → taken out",
      list(record("1", "a\u0003b\u000b\u001ac\ufffe")),
      "1=abc flawed",
    ],
    ["a reference to U+0003 → taken out", list(record("1", "a&#3;b")), "1=ab flawed"],
    [
      "a PHP notice behind the end → cut off",
      list(record("1"), { end: "\n<br />Notice: x & y" }),
      "1=T flawed",
    ],
    ["a PHP notice before the start → cut off", `Warning: x\n${list(record("1"))}`, "1=T flawed"],
    [
      "a PHP notice in HTML before the declaration → cut off",
      `<b>Warning</b>: x & y<br />\n${list(record("1"))}`,
      "1=T flawed",
    ],
    ["cut off in mid-list → malformed", list(record("1")).slice(0, -60), "malformed"],
    ["mismatched tags → malformed", list("<record><header></record></header>"), "malformed"],
    ["nothing → malformed", "", "malformed"],
    ["a text → malformed", "Internal server error", "malformed"],
    ["HTML with open tags → malformed", "<!DOCTYPE html><html><body><p>Sorry<br></body></html>", "malformed"],
    ["XHTML → no OAI-PMH", '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', "not-oai-pmh"],
    ["the right name without namespace → no OAI-PMH", "<OAI-PMH><ListRecords/></OAI-PMH>", "not-oai-pmh"],
    ["an undeclared prefix → malformed", list("<x:record/>"), "malformed"],
    [
      "two errors → both",
      answer('<error code="badArgument">a</error><error code="badVerb"/>'),
      "badArgument badVerb",
    ],
  ])("%s", (_title, text, expected) => {
    expect(summary(parse(text))).toBe(expected);
  });

  it("other prefixes for the same namespaces → the same records", () => {
    const text = list(record("1"))
      .replace(
        'xmlns="http://www.openarchives.org/OAI/2.0/"',
        'xmlns:o="http://www.openarchives.org/OAI/2.0/"',
      )
      .replaceAll(
        /<(\/?)(OAI-PMH|responseDate|request|ListRecords|record|header|identifier|datestamp|setSpec|metadata)\b/g,
        "<$1o:$2",
      );
    expect(summary(parse(text))).toBe("1=T");
  });

  it.each([
    ["declared ISO-8859-1 → decoded by it", "iso-8859-1", "latin1", "1=é"],
    ["declared UTF-8, but ISO-8859-1 → read with a flaw", "utf-8", "latin1", "1=\ufffd flawed"],
  ] as const)("%s", (_title, declared, written, expected) => {
    const text = list(record("1", "é"), { start: `<?xml version="1.0" encoding="${declared}"?>` });
    expect(
      summary(parseOaiPage(Buffer.from(text, written), { values: ({ local }) => local === "title" })),
    ).toBe(expected);
  });

  it("metadata under prefixes of the root → a document of its own", () => {
    const text = list(record("1"))
      .replace(' xmlns:dc="http://purl.org/dc/elements/1.1/"', "")
      .replace("<OAI-PMH ", '<OAI-PMH xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:other="a&amp;b" ');
    const result = parse(text);
    const metadata = (result.type === "page" && result.page.records[0]?.metadata) || "";
    const tree = parseXmlTree(metadata, { url: "http://r.example/", lenient: false });
    expect(tree).toMatchObject({ type: "tree" });
    expect(metadata).toContain("<dc:title>T</dc:title>");
  });

  it("records within the metadata → not taken for records of the list", () => {
    const inner =
      '<record xmlns="http://www.openarchives.org/OAI/2.0/"><header><identifier>x</identifier></header></record>';
    const result = parse(list(record("1", inner)));
    expect(result.type === "page" && result.page.records.map(({ identifier }) => identifier)).toEqual(["1"]);
  });

  it("Identify → what the repository says about itself", () => {
    const result = parse(
      answer(`<Identify><repositoryName>R</repositoryName><baseURL>http://r.example/oai</baseURL>
        <protocolVersion>2.0</protocolVersion><adminEmail>a@r.example</adminEmail><adminEmail>b@r.example</adminEmail>
        <earliestDatestamp>1990-02-01</earliestDatestamp><deletedRecord>transient</deletedRecord>
        <granularity>YYYY-MM-DD</granularity><compression>gzip</compression>
        <description><x:y xmlns:x="urn:x"><x:repositoryName>no</x:repositoryName></x:y></description></Identify>`),
    );
    expect(result.type === "page" && result.page.identity).toEqual({
      repositoryName: "R",
      baseUrl: "http://r.example/oai",
      protocolVersion: "2.0",
      adminEmails: ["a@r.example", "b@r.example"],
      earliestDatestamp: "1990-02-01",
      deletedRecord: "transient",
      granularity: "YYYY-MM-DD",
      compressions: ["gzip"],
    });
  });
});

describe("OaiPageReader", () => {
  const text = list(
    `${record("1", "ü\u{1f600} &amp;")}${record("2")}<resumptionToken cursor="0" completeListSize="9">t&amp;2</resumptionToken>`,
  );
  const whole = new OaiPageReader({ asXml: true });
  whole.write(text);
  const expected = whole.end();

  it("a page cut in two at any place → the same page", () => {
    expect(expected.resumptionToken).toEqual({ value: "t&2", cursor: 0, completeListSize: 9 });
    for (let at = 1; at < text.length; at += 1) {
      const reader = new OaiPageReader({ asXml: true });
      reader.write(text.slice(0, at));
      reader.write(text.slice(at));
      expect(reader.end(), `cut at ${at}`).toEqual(expected);
    }
  });

  it("a page in single characters → the same page", () => {
    const reader = new OaiPageReader({ asXml: true });
    for (let at = 0; at < text.length; at += 1) reader.write(text.charAt(at));
    expect(reader.end()).toEqual(expected);
  });
});
