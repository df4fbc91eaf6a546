import { describe, expect, it } from "vitest";
import { compileXPath } from "../../../../shared/formats/xpath/xpath.ts";
import { matchPage, maxPageBytes } from "../../../../shared/links/rule/match-page.ts";

function match(
  xpath: string,
  page: string | Uint8Array,
  contentType: string | undefined = "text/html",
): string {
  const body = typeof page === "string" ? new TextEncoder().encode(page) : page;
  return matchPage(compileXPath(xpath), body, contentType).type;
}

/** Bytes of single-byte text. */
function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

describe("HTML as browsers read it", () => {
  it.each([
    ["rule of the mission", '//p[@class="error"]', '<p class="error">No</p>', "hit"],
    ["rule of the mission", '//a[@href="#intro"]/h1/span', '<a href="#intro"><h1><span>x', "hit"],
    ["rule of the mission", '//h1/span[text()[contains(.,"boost")]]', "<h1><span>a boost</span>", "hit"],
    ["class is another", '//p[@class="error"]', '<a class="large">', "no-hit"],
    ["class has more words", '//p[contains(@class, "error")]', '<p class="big error">', "hit"],
    ["upper case, no quotes", '//p[@class="error"]', "<P CLASS=error>", "hit"],
    ["upper case in the rule", '//P[@Class="error"]', '<p class="error">', "hit"],
    ["values keep their case", '//p[@class="error"]', '<p class="Error">', "no-hit"],
    ["mis-nested", "//b/i[.='x']", "<b><i>x</b></i>", "hit"],
    ["mis-nested, closed late", "//p/b", "<b><p>x</b></p>", "hit"],
    ["p ends p", "//p/p", "<p>one<p>two", "no-hit"],
    ["tbody is implied", "//table/tbody/tr/td", "<table><tr><td>x", "hit"],
    ["tr is not a child of table", "//table/tr", "<table><tr><td>x", "no-hit"],
    ["text out of a table goes before it", "//div/text()[.='lost']", "<div><table>lost<tr>", "hit"],
    ["head and body are implied", "/html/body/p", "<p>x", "hit"],
    ["named reference", '//p[.="café & co"]', "<p>caf&eacute; &amp; co", "hit"],
    ["reference in the attribute compared", '//p[@class="error"]', '<p class="&#101;rror">', "hit"],
    ["ligature in the attribute compared", '//p[@class="fjord"]', '<p class="&fjlig;ord">', "hit"],
    ["no-break space", '//p[.="a\u00a0b"]', "<p>a&nbsp;b", "hit"],
    ["script is text", "//script/p", "<script><p>x</p></script>", "no-hit"],
    ["noscript is markup", '//noscript/p[@id="x"]', '<body><noscript><p id="x">', "hit"],
    ["template holds nothing", "//p", "<template><p>x</template>", "no-hit"],
    ["comment", "//comment()[contains(.,'gone')]", "<!-- gone -->", "hit"],
    ["svg", "//svg/linearGradient/@gradientUnits", '<svg><lineargradient gradientunits="x"/></svg>', "hit"],
    ["self-closing p stays open", "//p/b", "<p/><b>x</b>", "hit"],
    ["empty page", "//p", "", "no-hit"],
    ["not", "not(//p)", "<a>x", "hit"],
    ["number", "count(//p)", "<p>x", "hit"],
    ["number 0", "count(//p)", "<a>x", "no-hit"],
    ["text", "string(//p)", "<p>x", "hit"],
    ["empty text", "string(//p)", "<p></p>", "no-hit"],
    ["NaN", "number(//p)", "<p>x", "no-hit"],
    ["either attribute", '//p[@id="a" or @id="b"]', '<p id="b">', "hit"],
    ["attribute on the right", '//p["error" = @class]', '<p class="error">', "hit"],
    ["attribute starts with", '//p[starts-with(@class, "err")]', '<p class="error">', "hit"],
    ["attribute differs", '//p[@class != "error"]', '<p class="large">', "hit"],
  ])("%s: %s on %j → %s", (_title, xpath, page, expected) => {
    expect(match(xpath, page)).toBe(expected);
  });
});

describe("media types", () => {
  it.each([
    [
      "application/xhtml+xml",
      '<html xmlns="http://www.w3.org/1999/xhtml"><p/><b>x</b></html>',
      "//p/b",
      "no-hit",
    ],
    [
      "application/xhtml+xml",
      '<html xmlns="http://www.w3.org/1999/xhtml"><title/><b>x</b></html>',
      "/html/b",
      "hit",
    ],
    ["application/xhtml+xml", "<html><p>a&nbsp;b<br></html>", "//br", "hit"],
    ["text/html", "<title/><b>x</b>", "//b", "no-hit"],
    ["application/xml", "<r><dc:title a:id='1'>x</dc:title></r>", "//title[@id='1'] = 'x'", "hit"],
    ["text/xml; charset=utf-8", "<R><b>1</b></R>", "//r", "no-hit"],
    ["application/xml", "<r xmlns='x'/>", "//@*", "no-hit"],
    ["application/xml", "<r>a<![CDATA[<b>]]>c</r>", "/r/text()[.='a<b>c']", "hit"],
    ["application/xml", "<?xml version='1.0'?>\n<!-- c -->\n<r/>", "/comment() and not(/text())", "hit"],
    ["image/svg+xml", "<svg><text>gone</text></svg>", "//text[.='gone']", "hit"],
    [undefined, "<p>x", "//p", "hit"],
    ["application/pdf", "<p>x", "//p", "no-hit"],
    ["application/json", "<p>x", "not(//p)", "no-hit"],
  ])("%s: %j, %s → %s", (contentType, page, xpath, expected) => {
    const body = new TextEncoder().encode(page);
    expect(matchPage(compileXPath(xpath), body, contentType).type).toBe(expected);
  });
});

describe("namespaces", () => {
  const svg = "namespace-uri()='http://www.w3.org/2000/svg'";
  const html = "namespace-uri()='http://www.w3.org/1999/xhtml'";
  it.each<[contentType: string, page: string, xpath: string, expected: string]>([
    ["text/html", "<svg/>", `//*[${svg}]`, "hit"],
    ["text/html", "<svg><g/></svg>", `//g[${svg}]`, "hit"],
    ["text/html", "<svg><foreignObject><p>x", `//p[${svg}]`, "no-hit"],
    ["text/html", "<p>x", `//*[${svg}]`, "no-hit"],
    ["text/html", "<math><mi>x", "//mi[namespace-uri()='http://www.w3.org/1998/Math/MathML']", "hit"],
    ["text/html", "<p>x", "//p[namespace-uri()='']", "hit"],
    ["text/html", "<p>x", `//p[${html}]`, "hit"],
    ["text/html", "<p>x", "//p['http://www.w3.org/1999/xhtml' != namespace-uri()]", "no-hit"],
    ["text/html", "<svg/>", `//svg[${html} or namespace-uri()='']`, "no-hit"],
    ["application/xhtml+xml", '<p xmlns="http://www.w3.org/1999/xhtml"/>', `//p[${html}]`, "hit"],
    ["application/xml", '<r xmlns:s="http://www.w3.org/2000/svg"><s:svg/></r>', `//svg[${svg}]`, "hit"],
    ["application/xml", '<r><a xmlns="u:1"/><b/></r>', "//a[namespace-uri()='u:1']", "hit"],
    ["application/xml", '<r><a xmlns="u:1"/><b/></r>', "//b[namespace-uri()!='']", "no-hit"],
    ["application/xml", '<a xmlns="u:1"><b xmlns="u:2"/><c/></a>', "//c[namespace-uri()='u:1']", "hit"],
    ["application/xml", '<a xmlns="u:1"><b xmlns=""/></a>', "//b[namespace-uri()='']", "hit"],
    ["application/xml", "<x:a/>", "namespace-uri(//a)", "no-hit"],
    ["text/html", "<svg/>", "namespace-uri(//p)", "no-hit"],
  ])("%s: %s, %s → %s", (contentType, page, xpath, expected) => {
    expect(match(xpath, page, contentType)).toBe(expected);
  });
});

describe("encodings", () => {
  const isFound = '//p[.="Zürich"]';
  it.each([
    ["of the header", "text/html; charset=iso-8859-1", latin1("<p>Z\xfcrich")],
    ["of the header, quoted", 'text/html; charset="windows-1252"', latin1("<p>Z\xfcrich")],
    ["of a meta tag", "text/html", latin1('<meta charset="latin1"><p>Z\xfcrich')],
    [
      "of a long meta tag",
      "text/html",
      latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Z\xfcrich'),
    ],
    [
      "of a meta tag after 1024 bytes",
      "text/html",
      latin1(`<!--${"x".repeat(2000)}--><meta charset="latin1"><p>Z\xfcrich`),
    ],
    [
      "of the XML declaration",
      "text/xml",
      latin1('<?xml version="1.0" encoding="iso-8859-1"?><p>Z\xfcrich</p>'),
    ],
    ["of the mark, against the header", "text/html; charset=latin1", Buffer.from("\ufeff<p>Zürich")],
    ["UTF-16 of the mark", "text/html", Buffer.from("\ufeff<p>Zürich", "utf16le")],
    ["none: UTF-8", "text/html", Buffer.from("<p>Zürich")],
    ["one that does not exist: UTF-8", "text/html; charset=klingon", Buffer.from("<p>Zürich")],
    [
      "of a meta tag in a comment: not read",
      "text/html",
      Buffer.from('<!-- <meta charset="latin1"> --><p>Zürich'),
    ],
    [
      "in a description: not read",
      "text/html",
      Buffer.from('<meta name="description" content="; charset=windows-1252"><p>Zürich'),
    ],
    ["UTF-16 in single bytes: UTF-8", "text/html", Buffer.from('<meta charset="utf-16"><p>Zürich')],
  ])("%s → read", (_title, contentType, body) => {
    expect(match(isFound, body, contentType)).toBe("hit");
  });
});

describe("sizes", () => {
  const padding = "<p>".padEnd(1000, "x");
  const unclosed = Array.from({ length: 1000 }, (_, index) => `<b id=${index}>`).join("");

  it.each([
    { title: "5 MB", page: padding.repeat(5000), expected: "no-hit" },
    { title: "more than the limit", page: "x".repeat(maxPageBytes + 1), expected: "too-large" },
    { title: "more nodes than a page has", page: "<i>".repeat(600_000), expected: "too-large" },
    {
      title: "elements that multiply",
      page: `<p>${unclosed}</p>${"<p>x</p>".repeat(2000)}`,
      expected: "too-large",
    },
    { title: "nested deeply", page: "<div>".repeat(100_000), expected: "no-hit" },
  ])("$title → $expected", ({ page, expected }) => {
    expect(match('//p[.="error"]', page)).toBe(expected);
  });

  it("a page that cannot have a hit → not even parsed", () => {
    // Parsed, it would be too large.
    expect(match('//p[@class="error"]', "<i>".repeat(600_000))).toBe("no-hit");
  });
});
