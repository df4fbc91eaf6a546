import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { RandomXPath } from "./random-xpath.ts";
import { type Reading, XmlReadings } from "./xml-readings.ts";

/**
 * Our XPath engine against `xpath` over `@xmldom/xmldom`, which shares no line with it, on XML documents.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/
 */
const documents = {
  nodes: new XmlReadings(
    '<?xml version="1.0"?><!--top--><?p 1?><r a="1" xml:lang="en-GB"><x id="i">t<b/>w</x><y n="2">3</y>' +
      '<y n="-0.5"> 4 </y><z lang="de"><b>u</b></z><!--c--><?q 2?></r>',
  ),
  namespaces: new XmlReadings(
    '<r xmlns="urn:d" xmlns:p="urn:p"><a p:x="1" x="2"/><p:a/><b xmlns=""/>' +
      '<h:p xmlns:h="http://www.w3.org/1999/xhtml">t</h:p></r>',
  ),
  cdata: new XmlReadings("<r><a>t<![CDATA[u]]>v</a></r>"),
};
type DocumentName = keyof typeof documents;

/** Nodes as text, errors without their wording. */
function shown(reading: Reading, document: XmlReadings): unknown {
  if (Array.isArray(reading)) return document.describe(reading);
  return typeof reading === "object" ? "error" : reading;
}

describe("expressions on which both agree", () => {
  const expressions: Record<DocumentName, string[]> = {
    nodes: [
      "//b/ancestor::*",
      "//b/ancestor::*[1]",
      "(//b/ancestor::*)[1]",
      "//b/ancestor-or-self::node()[2]",
      "//b[1]",
      "(//b)[1]",
      "//b[last()]",
      "(//b)[last()]",
      "//y/preceding-sibling::*[1]",
      "//y[2]/preceding-sibling::*[last()]",
      "//y[2]/preceding-sibling::node()[2]",
      "//x/following-sibling::y[2]",
      "//y[2]/preceding::*[1]",
      "//@n/..",
      "//@n/following-sibling::node()",
      "//@n/self::node()",
      "//@a/descendant-or-self::node()",
      "//@*/child::node()",
      "//@*[1]",
      "//y/@*[1]",
      "//y[@n][1]",
      "//y[1][@n]",
      "//y[position() = 1 or last()]",
      "//y['']",
      "//y[0.5 + 0.5]",
      "//*[2]",
      "//*[count(*) = 2]",
      "//*[not(*)]",
      "//comment() | //b | /",
      "//processing-instruction()",
      "//processing-instruction('q')",
      "//processing-instruction('none')",
      "/node()",
      "/..",
      "/.",
      "//text()[2]",
      "//x/node()[last()]",
      "//x//text()/..",
      "id('i')",
      "id('none i')",
      "//b[lang('en')]",
      "//b[lang('de')]",
      "lang('en')",
      "string(/)",
      "string(//processing-instruction())",
      "string(//comment())",
      "name(/)",
      "name(//comment())",
      "name(//processing-instruction())",
      "local-name(//@a)",
      "name(//@*[2])",
      "local-name(//@*[2])",
      "namespace-uri(//@*[2])",
      "name(//none)",
      "string(//none)",
      "number('')",
      "number(' 12 ')",
      "number('.5')",
      "number('.')",
      "number('-')",
      "number('--1')",
      "number('- 1')",
      "number('+1')",
      "number('1e3')",
      "number('0x10')",
      "number('Infinity')",
      "number('1 2')",
      "number(true())",
      "sum(//y)",
      "sum(//@n)",
      "sum(//x)",
      "sum(//none)",
      "string(sum(//none))",
      "string(-0)",
      "string(0 * -1)",
      "1 div -0",
      "1 div round(-0.2)",
      "round(-2.5)",
      "round(2.5)",
      "round(-0.5)",
      "round(0 div 0)",
      "round(1 div 0)",
      "ceiling(-0.5)",
      "1 div ceiling(-0.5)",
      "floor(-0.5)",
      "5 mod 2",
      "5 mod -2",
      "-5 mod 2",
      "1.5 mod 0.5",
      "5 mod 0",
      "5 mod (1 div 0)",
      "string(0.1 + 0.2)",
      "string(1 div 3)",
      "string(1000000 * 1000000 * 1000000 * 1000000)",
      "string(1 div 1000000000)",
      "string(100000000000000000000000 * 12)",
      "string(1.0)",
      "string(-1 div 0)",
      "string(0 div 0)",
      "string(123456789012345678)",
      "'1' = 1",
      "'1.0' = 1",
      "'a' = 'a '",
      "true() = 'false'",
      "true() = 2",
      "false() = ''",
      "true() > false()",
      "'b' > 'a'",
      "'2' > '1'",
      "//y = 3",
      "//y = '4'",
      "//y = ' 4 '",
      "//y != 3",
      "not(//y = 3)",
      "//y < //@n",
      "//y > //@n",
      "//y = //@n",
      "//y != //y",
      "//x != //x",
      "//none = //none",
      "//none != //none",
      "//none = ''",
      "//none = false()",
      "//y = true()",
      "//none < true()",
      "//y < true()",
      "0 = //none",
      "1 < 2 < 3",
      "3 > 2 > 1",
      "1 = 1 = 1",
      "2 = 2 = 2",
      "1 - 1 - 1",
      "2 div 2 div 2",
      "-2 - -2",
      "- -//y",
      "-//y | //x",
      "//x | //y",
      "(//x | //y)[2]",
      "//y | //x | //y",
      "8 div 4 mod 3",
      "//y[n - 1]",
      "//y-1",
      "//*[self::x or self::z]",
      "div div div",
      "* * *",
      "//* [name() = 'y']",
      "concat('a', //x, 1, true())",
      "contains('abc', '')",
      "contains('', '')",
      "contains('', 'a')",
      "starts-with('a', '')",
      "substring-before('abc', '')",
      "substring-after('abc', '')",
      "substring-after('abc', 'c')",
      "substring-before('a=b=c', '=')",
      "substring-after('a=b=c', '=')",
      "substring('12345', 2)",
      "substring('12345', 2, 3)",
      "substring('12345', 1.5, 2.6)",
      "substring('12345', 0, 3)",
      "substring('12345', 0 div 0, 3)",
      "substring('12345', 1, 0 div 0)",
      "substring('12345', -42, 1 div 0)",
      "substring('12345', -1 div 0, 1 div 0)",
      "substring('12345', -1 div 0)",
      "substring('12345', 0.5)",
      "substring('12345', 2.5, 1)",
      "string-length('é')",
      "string-length()",
      "translate('a𝒳c', '𝒳', 'b')",
      "translate('bar', 'abc', 'AB')",
      "translate('--aaa--', 'abc-', 'ABC')",
      "translate('aa', 'aa', 'bc')",
      "normalize-space('  a   b  ')",
      "normalize-space(' a ')",
      "normalize-space(//y[2])",
      "boolean('false')",
      "boolean(//none)",
      "boolean(0 div 0)",
      "boolean(-0)",
      "boolean('0')",
      "not('')",
      "count(//node())",
      "count(//@*)",
      "count(//@* | //*)",
      "position()",
      "last()",
      "//y[position() mod 2 = 1]",
      "//y[last() - 1]",
      "//*[position() = last()]/@n",
      "//x[../y]",
      "//x[/r/y]",
      "//*[. = 3]",
      "//*[.//b]",
      "//y[not(following-sibling::y)]",
      "//node()[self::text()][contains(., 't')]",
      "string(*)",
      "(//y)[position() < 2]/@n",
      "self::node()/r",
      "self::*",
      "parent::*",
      "/r/x/../y",
      "//y/./@n",
      "ancestor-or-self::node()",
    ],
    namespaces: [
      "//*[namespace-uri() = 'urn:p']",
      "//b",
      "name(//*[3])",
      "name(/*/*[2])",
      "local-name(/*/*[2])",
      "namespace-uri(/*)",
      "namespace-uri(//b)",
      "namespace-uri(//@*[local-name() = 'x'][2])",
      "//*[local-name() = 'a']",
      "//@*[namespace-uri() = 'urn:p']",
      "//@*[namespace-uri() = '']",
    ],
    cdata: ["//text()"],
  };
  const cases = Object.entries(expressions).flatMap(([name, texts]) =>
    texts.map((expression) => [name as DocumentName, expression] as const),
  );

  it.each(cases)("%s: %s → the library's value", (name, expression) => {
    const document = documents[name];
    const [ours, library] = [document.ours(expression), document.library(expression)];
    expect(ours).toEqual(library);
    expect(ours).not.toHaveProperty("error");
  });
});

/** Document, expression, our value, the library's, who is right, by which section of the specification. */
type Difference = [DocumentName, string, unknown, unknown, "ours" | "library", string];

describe("expressions on which they differ", () => {
  const differences: Difference[] = [
    ["nodes", "//z/following::node()", "<!--c--> <?q?>", 'b "u"', "ours", "2.2: descendants do not follow"],
    ["nodes", "/following::b", "", "b b", "ours", "2.2: nothing follows the root"],
    [
      "nodes",
      "//y[2]/preceding::node()",
      '<!--top--> <?p?> x "t" b "w" y "3"',
      '/ <!--top--> <?p?> r x "t" b "w" y "3"',
      "ours",
      "2.2: ancestors do not precede",
    ],
    ["nodes", "//y[2]/preceding::*[position() = last()]", "x", "r", "ours", "2.2: ancestors do not precede"],
    [
      "nodes",
      "//@n/following::node()",
      '"3" y " 4 " z b "u" <!--c--> <?q?>',
      "",
      "ours",
      "2.2, 5.3: the element's children come after its attributes",
    ],
    [
      "nodes",
      "//@n/preceding::node()",
      '<!--top--> <?p?> x "t" b "w" y "3"',
      "",
      "ours",
      "2.2: the axis contains what comes before the element, except ancestors",
    ],
    [
      "nodes",
      "//@n/ancestor-or-self::*",
      "r y y",
      "r y @n y @n",
      "ours",
      "2.3: the principal node type of this axis is element",
    ],
    ["nodes", "//@n/self::*", "", "@n @n", "ours", "2.3: the principal node type of this axis is element"],
    ["nodes", "id(//x/@id)/b", "b", "", "ours", "4.1: of a node-set, each string-value is a list of IDs"],
    ["nodes", "//y[lang('EN')]", "y y", "", "ours", "4.3: case is ignored"],
    ["nodes", "number(//none)", Number.NaN, 0, "ours", "4.4: the empty string is not a number"],
    ["nodes", "number('5.')", 5, Number.NaN, "ours", "3.7: digits may end with a point"],
    ["nodes", "string(-0.0000001)", "-0.0000001", "0.000000-1", "ours", "4.2: the minus sign comes first"],
    ["nodes", "true() >= //none", true, false, "ours", "3.4: beside a boolean a node-set becomes one"],
    ["nodes", "substring('12345', 0 div 0)", "", "12345", "ours", "4.2: no position is at least NaN"],
    ["nodes", "substring('12345', 2, -1)", "", "1", "ours", "4.2: no position is from 2 on and before 1"],
    ["nodes", "string-length('a𝒳c')", 3, 4, "ours", "4.2: characters are counted, not UTF-16 units"],
    [
      "nodes",
      "substring('a𝒳c', 2, 1)",
      "𝒳",
      "\ud835",
      "ours",
      "4.2: characters are counted, not UTF-16 units",
    ],
    ["nodes", "concat('a', *//b)", "a", "error", "ours", "3.7: after a comma the asterisk is a name test"],
    [
      "namespaces",
      "name(//@*[1])",
      "p:x",
      "xmlns",
      "ours",
      "5.3: declarations of namespaces are not attributes",
    ],
    [
      "namespaces",
      "namespace-uri(//@*)",
      "urn:p",
      "http://www.w3.org/2000/xmlns/",
      "ours",
      "5.3: declarations of namespaces are not attributes",
    ],
    ["cdata", "//text()[2]", "", '"tuv"', "ours", "5.7: as much text as possible is one node"],
    ["cdata", "count(//text())", 1, 3, "ours", "5.7: as much text as possible is one node"],
    ["cdata", "string(//text())", "tuv", "t", "ours", "5.7: as much text as possible is one node"],
    ["cdata", "//a[text() = 'tuv']", "a", "", "ours", "5.7: as much text as possible is one node"],
    ["nodes", "count(/*/namespace::*)", 0, 1, "library", "5.4; ours has no namespace nodes"],
    ["namespaces", "count(/*/namespace::*)", 0, 3, "library", "5.4; ours has no namespace nodes"],
    [
      "namespaces",
      "//a",
      "a p:a",
      "",
      "library",
      "2.3; in ours a name without prefix matches in every namespace",
    ],
    [
      "namespaces",
      "//@x",
      "@p:x @x",
      "@x",
      "library",
      "2.3; in ours a name without prefix matches in every namespace",
    ],
    [
      "namespaces",
      "//r",
      "r",
      "",
      "library",
      "2.3; in ours a name without prefix matches in every namespace",
    ],
    ["namespaces", "//p:a", "error", "p:a", "library", "2.3; ours refuses prefixes, which rules cannot bind"],
    ["namespaces", "//p:*", "error", "p:a", "library", "2.3; ours refuses prefixes, which rules cannot bind"],
    [
      "namespaces",
      "//@p:x",
      "error",
      "@p:x",
      "library",
      "2.3; ours refuses prefixes, which rules cannot bind",
    ],
    [
      "namespaces",
      "namespace-uri(/*/*[4])",
      "",
      "http://www.w3.org/1999/xhtml",
      "library",
      "4.1; ours reads XHTML as it reads HTML, without a namespace",
    ],
    [
      "namespaces",
      "//*[namespace-uri() = '']",
      "b h:p",
      "b",
      "library",
      "4.1; ours reads XHTML as it reads HTML, without a namespace",
    ],
  ];
  const namespaces = { p: "urn:p" };

  it.each(differences)("%s: %s → ours %j, the library's %j; right: %s (section %s)", (...difference) => {
    const [name, expression, ours, library] = difference;
    const document = documents[name];
    expect(shown(document.ours(expression), document)).toEqual(ours);
    expect(shown(document.library(expression, namespaces), document)).toEqual(library);
    expect(ours).not.toEqual(library);
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("documents and expressions drawn at random (seed %d)", (seed) => {
  it("25 expressions on each of 20 documents → the library's values", () => {
    const drawn = new RandomXPath(seededRandom(seed));
    let found = 0;
    for (const source of Array.from({ length: 20 }, () => drawn.document())) {
      const document = new XmlReadings(source);
      for (let number = 0; number < 25; number++) {
        const expression = drawn.expression();
        const ours = document.ours(expression);
        expect(ours, `${expression} on ${source}`).toEqual(document.library(expression));
        expect(ours, expression).not.toHaveProperty("error");
        if (!Array.isArray(ours) || ours.length > 0) found++;
      }
    }
    expect(found).toBeGreaterThan(250);
  });

  /** The library's own axes are wrong, see above: it is given what section 2.2 says they are. */
  it("following and preceding elements → the library's, found by siblings of ancestors", () => {
    const drawn = new RandomXPath(seededRandom(seed));
    let found = 0;
    for (const source of Array.from({ length: 10 }, () => drawn.document())) {
      found += compareSurroundings(source);
    }
    expect(found).toBeGreaterThan(100);
  });
});

/** Compares the following and preceding elements of the first elements of each name; @returns how many there are */
function compareSurroundings(source: string): number {
  const document = new XmlReadings(source);
  let found = 0;
  for (const from of ["a", "b", "c"].flatMap((name) => [1, 2, 3].map((at) => `(//${name})[${at}]`))) {
    for (const to of ["a", "b", "*"]) {
      const beside = (axis: string) =>
        `(${from}/ancestor-or-self::node()/${axis}-sibling::node()/descendant-or-self::${to})`;
      const pairs = [
        [`${from}/following::${to}`, beside("following")],
        [`${from}/following::${to}[1]`, `${beside("following")}[1]`],
        [`${from}/following::${to}[last() - 1]`, `${beside("following")}[last() - 1]`],
        [`${from}/preceding::${to}`, beside("preceding")],
        [`${from}/preceding::${to}[1]`, `${beside("preceding")}[last()]`],
        [`${from}/preceding::${to}[2]`, `${beside("preceding")}[last() - 1]`],
      ] as const;
      for (const [ours, library] of pairs) {
        const reading = document.ours(ours);
        expect(reading, `${ours} on ${source}`).toEqual(document.library(library));
        if (Array.isArray(reading)) found += reading.length;
      }
    }
  }
  return found;
}
