import { describe, expect, it } from "vitest";
import { listMarc } from "../../../../shared/harvest/upload/listed-uploads.ts";
import { readIso2709 } from "../../../../shared/marc/iso2709-reader.ts";
import { writeIso2709 } from "../../../../shared/marc/iso2709-writer.ts";
import { readMarcXml } from "../../../../shared/marc/marcxml-reader.ts";
import { inPieces } from "../../marc/sample.ts";

const slim = 'xmlns="http://www.loc.gov/MARC21/slim"';
const xml = (id: string, title = `T${id}`) =>
  `<record><leader>00000nab a2200000   4500</leader><controlfield tag="001">${id}</controlfield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${title}</subfield></datafield></record>`;
const [a, b, c] = [xml("a"), xml("b"), xml("c")];
const file = (...records: string[]) => `<collection ${slim}>${records.join("\n")}</collection>`;
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const declared = (encoding: string, text: string) => `<?xml version="1.0" encoding="${encoding}"?>${text}`;

function iso(id: string, title = `T${id}`): Buffer {
  const written = writeIso2709({
    leader: "00000nab a2200000   4500",
    control: [["001", id]],
    fields: [["245", "00", [["a", title]]]],
  });
  if (written.type !== "written") throw new Error(written.reason);
  return Buffer.from(written.bytes);
}
const isoFile = (...records: (Buffer | string)[]) =>
  Buffer.concat(records.map((record) => (typeof record === "string" ? latin1(record) : record)));
/** A record in MARC-8: of the same length as the ASCII title in its place. */
const marc8 = (id: string, title: string) => {
  const text = iso(id, "x".repeat(title.length)).toString("latin1");
  return latin1(`${text.slice(0, 9)} ${text.slice(10)}`.replace(/x{2,}/, title));
};

/** Each record as the upload names it, with its title or why it is refused; and what is wrong beside the records (`!`). */
async function outcomesOf(bytes: Uint8Array | string): Promise<string[]> {
  const buffer = Buffer.from(bytes as Uint8Array);
  const read =
    /^(?:\d{5}|$)/.test(buffer.toString("latin1", 0, 10).replaceAll("\x1d", "")) && buffer.length > 0
      ? readIso2709
      : readMarcXml;
  const outcomes: string[] = [];
  let number = 0;
  for await (const outcome of read([buffer])) {
    if (outcome.type === "broken") {
      outcomes.push(`! ${outcome.reason}`);
      continue;
    }
    const listed = listMarc(outcome, ++number);
    outcomes.push(
      "listed" in listed
        ? `${listed.listed.identifier[0]} = ${listed.listed.title}`
        : `${listed.refused.name}: ${listed.refused.reason}`,
    );
  }
  return outcomes;
}

const called = {
  utf8: latin1(declared("UTF-8", file(a, xml("b", "\xfc"), c))),
  nothing: latin1(file(a, xml("b", "\xfc"), c)),
  latin1: latin1(declared("ISO-8859-1", file(a, xml("b", "\x93T\x94"), c))),
  windows1252: latin1(declared("windows-1252", file(xml("a", "\x93T\x94"), xml("b", "\x81"), c))),
  utf16: Buffer.from(`\ufeff${file(a, xml("b", "\ud835"), c)}`, "utf16le"),
  mixed: Buffer.concat([
    latin1(`<collection ${slim}>`),
    Buffer.from(xml("a", "\u00fd")),
    latin1(xml("b", "\xfc")),
    latin1(`${c}</collection>`),
  ]),
};

const A = "a = Ta";
const C = "c = Tc";
const tail = (line: number) => `! line ${line}: the document ends before the end tag of <collection>`;

describe("hostile files of MARCXML", () => {
  it.each<[condition: string, bytes: Uint8Array | string, outcomes: string[]]>([
    [
      "cut off in a record",
      file(a, b).slice(0, -40),
      [A, "b: record 2 at line 2: unclosed tag: subfield", tail(2)],
    ],
    ["cut off between records", `<collection ${slim}>${a}`, [A, "! line 1: unclosed tag: collection"]],
    ["cut off in a start tag", `<collection ${slim}>${a}<rec`, [A, "! line 1: unclosed tag: collection"]],
    ["without its beginning", file(a, b).slice(80), [expect.stringMatching(/^! line 1: /)]],
    ["a line break before the declaration", `\n${declared("UTF-8", file(a, b))}`, [A, "b = Tb"]],
    [
      "a line break before a declaration of Latin-1",
      latin1(`\r\n${declared("ISO-8859-1", file(xml("a", "\xfc")))}`),
      ["a = \xfc"],
    ],
    [
      "white space and a bad record",
      `\n\n ${declared("UTF-8", file(a, xml("b", "<"), c))}`,
      [A, "b: record 2 at line 4: disallowed character in tag name", C],
    ],
    [
      "a message before the collection",
      `Notice: x\n${file(a, b)}`,
      ["! line 1: text data outside of root node; reading resumes at the collection", A, "b = Tb"],
    ],
    [
      "messages with tags before the declaration",
      `<br />\n<b>Warning</b>: y <record> in\n${declared("UTF-8", file(a, c))}`,
      [expect.stringMatching(/^! line 1: .*; reading resumes at the collection$/), A, C],
    ],
    [
      "a message before it, and cut off",
      `Notice: x\n<collection ${slim}>${a}`,
      [expect.stringMatching(/^! line 1: text/), A, "! line 2: unclosed tag: collection"],
    ],
    [
      "a message before a collection of no namespace",
      `Notice: x\n<collection>${a}</collection>`,
      ["! line 2: <collection> is not in the namespace http://www.loc.gov/MARC21/slim"],
    ],
    ["a message alone", "Notice: x", ["! line 1: text data outside of root node."]],
    ["a page alone", "<html>\n<br>404</html>", [expect.stringMatching(/^! line 2: /)]],
    ["white space alone", " \n", [expect.stringMatching(/^! line/)]],
    ["text after it", `${file(a)}junk <junk`, [A, "! line 1: text data outside of root node."]],
    [
      "text after it, and a bad record",
      `${file(xml("b", "<"), a)}junk <junk`,
      [expect.stringMatching(/^b: record 1/), A, "! line 2: text data outside of root node."],
    ],
    [
      "a bare &",
      file(a, xml("b", "AT&T <b> x"), c),
      [A, `b: record 2 at line 2: "AT&T" has an & that begins no reference: write &amp;`, C],
    ],
    [
      "a bare & after references and sections",
      file(a, xml("b", "&amp;<![CDATA[&]]>&#38; &T"), xml("c", "T;")),
      [A, `b: record 2 at line 2: "&T" has an & that begins no reference: write &amp;`, "c = T;"],
    ],
    [
      "a record without end tag",
      file(a, b.replace("</record>", ""), c),
      [A, "b: record 2 at line 2: it has no end tag before the next record", C],
    ],
    [
      "a record in a record",
      file(a, b.replace("</record>", `${c}</record>`)),
      [A, "b: record 2 at line 2: it has no end tag before the next record", C],
    ],
    [
      "a record in a subfield",
      file(a, xml("b", c)),
      [A, "b: record 2 at line 2: it has no end tag before the next record", C],
    ],
    [
      "records of another namespace",
      file(a, b.replace("<record>", '<record xmlns="urn:x">'), c),
      [A, "record 2: record 2 at line 2: <record> is not in the namespace http://www.loc.gov/MARC21/slim", C],
    ],
    [
      "no namespace",
      `<collection>${a}</collection>`,
      ["! line 1: <collection> is not in the namespace http://www.loc.gov/MARC21/slim"],
    ],
    [
      "a prefix that is not declared",
      file(a, b.replaceAll(/<(\/?)/g, "<$1m:"), c),
      [A, "record 2: record 2 at line 2: the prefix of <m:record> is not declared", C],
    ],
    ["a field of 500 KB", file(a, xml("b", "x".repeat(500_000)), c), [A, `b = ${"x".repeat(500_000)}`, C]],
    [
      "a record of more than a million characters",
      file(a, xml("b", "x".repeat(1_000_000)), c),
      [A, "b: record 2: it has 1000303 characters, more than 1000000", C],
    ],
    [
      "a record of 11 MB",
      file(a, xml("b", "x".repeat(11_000_000)), c),
      [A, "b: record 2: it has 11000303 characters, more than 1000000", C],
    ],
    [
      "an entity bomb",
      `<!DOCTYPE c [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;">]>${file(a, xml("b", "&m;"), c)}`,
      [A, "b: record 2 at line 2: undefined entity.", C],
    ],
    [
      "an external entity",
      `<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>${file(xml("a", "&x;"), c)}`,
      ["a: record 1 at line 1: undefined entity.", C],
    ],
    ["a DOCTYPE", `<!DOCTYPE collection SYSTEM "https://x.example/marc.dtd">${file(a, c)}`, [A, C]],
    [
      "a DOCTYPE that does not end",
      `<!DOCTYPE collection [${file(a)}`,
      [expect.stringMatching(/^! line 1: .*; reading resumes at the collection$/), A],
    ],
    [
      "an unclosed comment",
      file(a, xml("b", "<!-- T"), c),
      [A, "b: record 2 at line 2: unclosed tag: subfield", C],
    ],
    [
      "an unclosed CDATA section",
      file(a, xml("b", "<![CDATA[T"), c),
      [A, "b: record 2 at line 2: unclosed tag: subfield", C],
    ],
    [
      "an unclosed comment between records",
      file(a, "<!-- b", c),
      [A, "! line 3: unclosed tag: collection", C],
    ],
    ["NUL bytes", file(a, xml("b", "T\0"), c), [A, "b: record 2 at line 2: disallowed character.", C]],
    ["NUL bytes in the place of a record", file(a, "\0\0\0", c), [A, "! line 2: disallowed character.", C]],
    ["a byte order mark in the middle", file(a, `\ufeff${xml("b")}`, c), [A, "b = Tb", C]],
    [
      "two files in one",
      `${file(a)}\ufeff${declared("UTF-8", file(c))}`,
      [A, "! line 1: text data outside of root node.", C],
    ],
    [
      "Latin-1 called UTF-8",
      called.utf8,
      [A, `b: record 2 at line 2: byte ${called.utf8.indexOf(0xfc)} is not UTF-8`, C],
    ],
    [
      "Latin-1 without a declaration",
      called.nothing,
      [A, `b: record 2 at line 2: byte ${called.nothing.indexOf(0xfc)} is not UTF-8`, C],
    ],
    [
      "encodings mixed",
      called.mixed,
      ["a = \u00fd", `b: record 2 at line 1: byte ${called.mixed.indexOf(0xfc)} is not UTF-8`, C],
    ],
    [
      "ISO-8859-1, as declared",
      latin1(declared("ISO-8859-1", file(xml("a", "\xfc \x98Der\x9c")))),
      ["a = \u00fc \u0098Der\u009c"],
    ],
    [
      "windows-1252 called ISO-8859-1",
      called.latin1,
      [A, `b: record 2 at line 2: byte ${called.latin1.indexOf(0x93)} is not ISO-8859-1`, C],
    ],
    [
      "windows-1252, with a byte that is not a character",
      called.windows1252,
      [
        "a = \u201cT\u201d",
        `b: record 2 at line 2: byte ${called.windows1252.indexOf(0x81)} is not windows-1252`,
        C,
      ],
    ],
    [
      "UTF-16 with its mark",
      Buffer.from(`\ufeff${declared("UTF-16", file(xml("a", "\u{1d504}\u00fc")))}`, "utf16le"),
      ["a = \u{1d504}\u00fc"],
    ],
    ["UTF-16, the high byte first, without a mark", utf16be(declared("UTF-16", file(a, c))), [A, C]],
    [
      "UTF-16 with half a character",
      called.utf16,
      [A, `b: record 2 at line 2: byte ${called.utf16.indexOf(Buffer.from([0x35, 0xd8]))} is not UTF-16`, C],
    ],
    ["UTF-8 called UTF-16", declared("utf-16", file(xml("a", "\u00fc"))), ["a = \u00fc"]],
    [
      "an encoding that is not read",
      declared("Shift_JIS", file(a)),
      ["! the encoding Shift_JIS is not read, only UTF-8, UTF-16, ISO-8859-1 and windows-1252"],
    ],
    ["nothing", "", ["! line 1: document must contain a root element."]],
    ["a collection of nothing", file(), []],
    [
      "a web page",
      "<!DOCTYPE html><html><body><p>Not found</body></html>",
      [expect.stringMatching(/^! line 1: /)],
    ],
    [
      "a record without 001",
      file(a, b.replace(/<controlfield.*<\/controlfield>/, ""), c),
      [A, "record 2: 001: is missing", C],
    ],
  ])("%s → each record's outcome", async (_, bytes, outcomes) => {
    expect(await outcomesOf(bytes)).toEqual(outcomes);
  });

  it("a record of 11 MB in small pieces → refused before it is all in memory", async () => {
    const bytes = latin1(file(a, xml("b", "x".repeat(11_000_000)), c));
    const outcomes: string[] = [];
    for await (const outcome of readMarcXml(inPieces(bytes, 65_536)))
      outcomes.push(outcome.type === "record" ? "record" : outcome.reason);
    expect(outcomes).toEqual([
      "record",
      "record 2 at line 2: the record has no end within 10000000 characters",
      "record",
    ]);
  });

  it("100,000 records, one of them bad → the others are read", async () => {
    async function* chunks() {
      yield latin1(`<collection ${slim}>`);
      for (let at = 0; at < 100_000; at += 100) {
        const some = Array.from({ length: 100 }, (_, n) => xml(String(at + n)));
        if (at === 50_000) some[7] = xml("50007", "&x;");
        yield latin1(some.join("\n"));
      }
      yield latin1("</collection>");
    }
    let records = 0;
    const others: unknown[] = [];
    for await (const outcome of readMarcXml(chunks())) {
      if (outcome.type === "record") records++;
      else others.push(outcome);
    }
    expect(records).toBe(99_999);
    expect(others).toMatchObject([{ type: "malformed", number: 50_008, controlNumber: "50007" }]);
  });

  it.each([
    "<record><",
    "<record>&",
    "<record><!--",
    "<record><![CDATA[",
    "<record ><",
    "\xff<record>",
    "<record id='",
  ])(
    "%s over and over → each character is looked at a bounded number of times, and it is said where reading stops",
    async (unit) => {
      const text = latin1(`<collection ${slim}>${a}${unit.repeat(20_000)}${c}`);
      const outcomes = await outcomesOf(text);
      expect(outcomes[0]).toBe(A);
      expect(outcomes.at(-1)).toMatch(/^! line \d+: /);
    },
  );
});

describe("hostile files of ISO 2709", () => {
  const good = [iso("a"), iso("b"), iso("c")] as const;
  const [, second] = good;
  const at = good[0].length;
  const changed = (from: number, text: string) => {
    const bytes = Buffer.from(second);
    bytes.write(text, from, "latin1");
    return bytes;
  };

  it.each<[condition: string, bytes: Uint8Array, outcomes: string[]]>([
    [
      "white space between records, and Ctrl-Z",
      isoFile(good[0], " \r\n\t  ", good[2], "\r\n\x1a\r\n "),
      [A, C],
    ],
    [
      "other bytes before records",
      isoFile(good[0], "garbage\r\n", second, "x", good[2]),
      [
        A,
        `! 9 bytes at byte ${at} do not belong to a record and were skipped`,
        "b = Tb",
        `! 1 byte at byte ${at + 9 + second.length} do not belong to a record and were skipped`,
        C,
      ],
    ],
    [
      "a half record before a record",
      isoFile(good[0], second.subarray(0, -4), good[2]),
      [A, `b: record 2 at byte ${at}: it has no record terminator`, C],
    ],
    [
      "a wrong length",
      isoFile(good[0], changed(0, "00030"), good[2]),
      [A, `b: record 2 at byte ${at}: the leader says "00030" bytes, but the record has ${second.length}`, C],
    ],
    [
      "a length that is not a number",
      isoFile(good[0], changed(0, "abcde"), good[2]),
      [A, `b: record 2 at byte ${at}: the leader says "abcde" bytes, but the record has ${second.length}`, C],
    ],
    [
      "a wrong directory",
      isoFile(good[0], changed(27, "0x"), good[2]),
      [A, `b: record 2 at byte ${at}: the directory's entry for field 001 does not lead to a field`, C],
    ],
    [
      "a wrong base address",
      isoFile(good[0], changed(12, "00009"), good[2]),
      [A, `b: record 2 at byte ${at}: the base address "00009" does not follow a directory`, C],
    ],
    [
      "no terminator between two records",
      isoFile(good[0].subarray(0, -1), good[2]),
      ["a: record 1 at byte 0: it has no record terminator", C],
    ],
    [
      "cut off",
      isoFile(good[0], second.subarray(0, -5)),
      [A, `b: record 2 at byte ${at}: the input ends inside the record`, "! the input ends inside record 2"],
    ],
    [
      "terminators only",
      latin1("\x1d\x1d"),
      [
        "record 1: record 1 at byte 0: a record of 1 bytes has no leader and directory",
        "record 2: record 2 at byte 1: a record of 1 bytes has no leader and directory",
      ],
    ],
    [
      "no UTF-8, as declared",
      isoFile(good[0], latin1(second.toString("latin1").replace("Tb", "T\xfc")), good[2]),
      [
        A,
        `b: record 2 at byte ${at}: the text is not UTF-8 (byte ${second.indexOf("Tb") + 1} of the record)`,
        C,
      ],
    ],
    [
      "MARC-8 in many scripts",
      isoFile(marc8("a", "\xe8u\x1b(Na\x1b(B \x1b$1!0!\x1b(B \xe2e")),
      ["a = \u00fc\u0410 \u4e00 \u00e9"],
    ],
    [
      "MARC-8 with an unknown escape sequence",
      isoFile(good[0], marc8("b", "\x1b(Zabc"), good[2]),
      [
        A,
        `b: record 2 at byte ${at}: field 245: the escape sequence ESC ( Z names a character set that is not supported (byte ${second.indexOf("Tb")} of the record)`,
        C,
      ],
    ],
    [
      "NUL bytes between records",
      isoFile(good[0], "\0\0\x1d", good[2]),
      [A, `record 2: record 2 at byte ${at}: a record of 3 bytes has no leader and directory`, C],
    ],
  ])("%s → each record's outcome", async (_, bytes, outcomes) => {
    expect(await outcomesOf(bytes)).toEqual(outcomes);
  });
});
