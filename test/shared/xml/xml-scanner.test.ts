import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { MalformedXml } from "../../../shared/xml/malformed-xml.ts";
import { XmlScanner } from "../../../shared/xml/xml-scanner.ts";

type Event = string;

/** What the scanner finds, neighbouring texts as one; or that it is malformed. */
function scan(chunks: string[]): Event[] | string {
  const events: Event[] = [];
  const scanner = new XmlScanner({
    open: ({ name, attributes }) => events.push(`<${name} ${JSON.stringify(attributes)}`),
    close: () => events.push("/"),
    text: (text) => addText(events, text),
  });
  try {
    for (const chunk of chunks) scanner.write(chunk);
    scanner.end();
    return events;
  } catch (error) {
    if (error instanceof MalformedXml) return error.message;
    throw error;
  }
}

function addText(events: Event[], text: string): void {
  const last = events.at(-1);
  if (text === "") return;
  if (last?.startsWith("=")) events[events.length - 1] = last + text;
  else events.push(`=${text}`);
}

/** What another strict parser finds. */
function scanBySaxes(text: string): Event[] | "malformed" {
  const events: Event[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    events.push(`<${name} ${JSON.stringify(attributes)}`);
  });
  parser.on("closetag", () => {
    depth -= 1;
    events.push("/");
  });
  const add = (part: string) => depth > 0 && addText(events, part);
  parser.on("text", add);
  parser.on("cdata", add);
  try {
    parser.write(text).close();
    return events;
  } catch {
    return "malformed";
  }
}

const page = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a page --><?style x?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi='urn:x' a="1 &lt;&#10;2
3"><ListRecords ><record
 ><header status = "deleted"/><metadata><dc:title xml:lang='en > de'>A &amp; B &#x1F600; ü\u{1f600} ]] > x\r\ny</dc:title ><e/>
<![CDATA[ <a>& ]] ]>]]><!-- - --><x-1.2_3>&quot;&apos;&gt;</x-1.2_3></metadata></record></ListRecords></OAI-PMH>
<!-- end -->
`;

describe("XmlScanner", () => {
  it("a document → what another parser finds", () => {
    expect(scan([page])).toEqual(scanBySaxes(page));
    expect(scan([page]).length).toBeGreaterThan(15);
  });

  it("cut in two at any place, or into characters → the same", () => {
    const whole = scan([page]);
    for (let at = 1; at < page.length; at += 1) {
      expect(scan([page.slice(0, at), page.slice(at)]), `cut at ${at}`).toEqual(whole);
    }
    expect(scan([...Array(page.length).keys()].map((at) => page.charAt(at)))).toEqual(whole);
  });

  it("elements that repeat, change their order, and hold others or none → what another parser finds", () => {
    const leaves = [
      "<a>1</a>",
      "<a>2</a>",
      "<b>3</b>",
      "<a x='1'>4</a>",
      "<a>5<c/>6</a>",
      "<b></b>",
      "<ab>7</ab >",
    ];
    const random = seededRandom(7);
    const parts = Array.from({ length: 400 }, () => leaves[Math.floor(random() * leaves.length)]);
    const text = `<r>${parts.join("")}<a x='${"long ".repeat(20)}'>&amp;</a><a x='${"long ".repeat(19)}lang '/></r>`;
    expect(scan([text])).toEqual(scanBySaxes(text));
  });

  it("a carriage return that is written as a reference → kept; one in the text is a line end", () => {
    const text = "<a>1\r\n2\r3&#13;4&#xD;\r\n</a>";
    expect(scan([text])).toEqual(["<a {}", "=1\n2\n3\r4\r\n", "/"]);
    expect(scan([text])).toEqual(scanBySaxes(text));
  });

  it.each([
    ["mismatched tags", "<a><b></a></b>", "<b> is closed by </a>"],
    ["an end tag too many", "<a/></a>", "</a> closes no element"],
    ["an end tag of a longer name", "<a></ab>", "<a> is closed by </ab>"],
    ["a bare &", "<a>A & B</a>", "the text has a bare &"],
    ["an entity of HTML", "<a>&nbsp;</a>", "the reference &nbsp; is not defined"],
    ["a bare & in an attribute", '<a b="c&d"/>', "the text has a bare &"],
    ["a reference to no character", "<a>&#3;</a>", "the reference &#3; is not defined"],
    ["a reference to half a pair", "<a>&#xD800;</a>", "the reference &#xD800; is not defined"],
    ["a control character", "<a>\u0003</a>", "the character U+0003 is not allowed"],
    ["U+FFFE", "<a>\ufffe</a>", "the character U+FFFE is not allowed"],
    ["text after the root", "<a/>x", "there is text after the root element"],
    ["a second root", "<a/><b/>", "there is a second root element"],
    ["an open element", "<a><b>", "the document ends within <b>"],
    ["a truncated tag", "<a><b c='", "the document ends within <a>"],
    ["no element", "<!-- -->", "the document has no root element"],
    ["nothing", "", "the document has no root element"],
    ["]]>", "<a>]]></a>", "the text has ]]>"],
    ["-- in a comment", "<a><!-- -- --></a>", "a comment has --"],
    ["an attribute twice", '<a b="1" b="2"/>', "<a> has two attributes b"],
    ["an attribute without quotes", "<a b=1/>", "the attributes of <a b=1/> are malformed"],
    ["attributes without a space", "<a b='1'c='2'/>", "the attributes of <a b='1'c='2'/> are malformed"],
    ["< in an attribute", '<a b="<"/>', "an attribute has a bare <"],
    ["< in the text", "<a>1 < 2</a>", "the tag < 2 has no end"],
    ["< before > in the text", "<a>1 < 2 > 1</a>", "< 2 > has no name: a bare < in the text?"],
    [
      "a declaration within",
      '<a><?xml version="1.0"?></a>',
      'the instruction <?xml version="1.0"?> is malformed',
    ],
    [
      "CDATA before the root",
      "<![CDATA[x]]><a/>",
      "The markup in the document preceding the root element must be well-formed.",
    ],
    [
      "an HTML page",
      "<!doctype html><html></html>",
      "The markup in the document preceding the root element must be well-formed.",
    ],
    [
      "a text",
      "Internal server error",
      "The markup in the document preceding the root element must be well-formed.",
    ],
    [
      "a blank line before the declaration",
      '\n<?xml version="1.0"?><a/>',
      "The markup in the document preceding the root element must be well-formed.",
    ],
  ])("%s → refused, saying what is wrong", (_title, text, problem) => {
    expect(scan([text])).toBe(problem);
    expect(scanBySaxes(text)).toBe("malformed");
  });

  it("a document type is skipped, with what it declares", () => {
    const declared = "<!DOCTYPE a [<!ELEMENT a (b)> <!-- ' ]> --> <!ENTITY c '>]'> ]>";
    expect(scan([`${declared}<a/>`])).toEqual(["<a {}", "/"]);
    expect(scan([`<a/>${declared}`])).toMatch(/malformed|text/);
  });

  it("3,000 damaged documents → refused exactly when another parser refuses them", () => {
    const random = seededRandom(14);
    const pick = (below: number) => Math.floor(random() * below);
    // Without ?: saxes accepts the instruction <?s?le x?>.
    const pieces = [
      "<",
      ">",
      "&",
      '"',
      "'",
      "/",
      "=",
      "]]>",
      "--",
      "<a>",
      "</a>",
      "&amp;",
      " ",
      "\u0001",
      "!",
      "x",
      "<!--",
    ];
    const characters = [...page];
    let refused = 0;
    for (let round = 0; round < 3000; round += 1) {
      const at = pick(characters.length);
      const cut = characters.toSpliced(at, pick(4), pieces[pick(pieces.length)] ?? "").join("");
      const expected = scanBySaxes(cut);
      const found = scan([cut]);
      expect(typeof found === "string" ? "malformed" : found, cut).toEqual(expected);
      if (expected === "malformed") refused += 1;
    }
    expect(refused).toBeGreaterThan(1000);
    expect(refused).toBeLessThan(2900);
  });
});
