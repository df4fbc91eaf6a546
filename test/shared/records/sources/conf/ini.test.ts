import { describe, expect, it } from "vitest";
import { type IniProblem, parseIni } from "../../../../../shared/records/sources/conf/ini.ts";

describe("parseIni", () => {
  it.for([
    ["a key and a value", "key = some value", "some value"],
    ["spaces and a carriage return", "\tkey\t=  some value \r", "some value"],
    ["an equals sign in the value", "key = a=b", "a=b"],
    ["a key alone", "key", "true"],
    ["a comment after the value", "key = LF  # free", "LF"],
    ["an escaped hash", "key = a\\#b", "a#b"],
    ["a hash in quotes", 'key = "a # b" # comment', "a # b"],
    ["backslashes outside quotes", "key = \\d+\\s", "\\d+\\s"],
    ["C escapes in quotes", 'key = "5203 \\037a\\\\s\\u00E8\\x41\\n"', "5203 \u001fa\\sèA\n"],
    ["bytes of UTF-8 in octal and hexadecimal", 'key = "M\\303\\244rz \\xc3\\xa4 \\xC3\\244"', "März ä ä"],
    ["a byte order mark as bytes", 'key = "\\xef\\xbb\\xbf."', "\ufeff."],
    [
      "the last character there is, and one of two halves",
      'key = "\\U0010FFFF\\ud83d\\ude00"',
      "\u{10ffff}\u{1f600}",
    ],
    ["an escaped quote", 'key = "say \\"no\\""', 'say "no"'],
    ["quotes with nothing between", 'key = ""', ""],
    ["a raw separator", "key = 24631\u001fa%t%", "24631\u001fa%t%"],
    ["quotes inside a value", 'key = a="b # c', 'a="b'],
    ["a continued line", "key = one \\\ntwo", "one two"],
  ] as const)("%s → the value", ([, text, value]) => {
    const { sections } = parseIni(text);
    expect(problemsOf(text)).toEqual([]);
    expect(sections[0]?.entries.get("key")?.value).toBe(value);
  });

  it.for([
    ["key =", "missing variable value"],
    ["key = # nothing", "missing variable value"],
    ['key = "open', "improperly quoted value"],
    [
      '[s]\nkey = "\\U00110000"',
      '\\U00110000, which is not a character, in the value of "key" in section "s"',
    ],
    ['[s]\nkey = "a\\ud800"', 'half of a surrogate pair in the value of "key" in section "s"'],
    ['[s]\nkey = "M\\344rz"', '\\344, which is not a character, in the value of "key" in section "s"'],
    ['[s]\nkey = "\\777"', '\\777, which is not a character, in the value of "key" in section "s"'],
    ["= value", "missing variable name"],
    ["1key = value", 'invalid variable name "1key"'],
    ["[section", "garbled section header"],
    ["[ ]", "empty section name"],
    ["[a]\n[a]", 'duplicate section "a"'],
    ["key = 1\nkey = 2", 'duplicate variable name: "key"'],
  ] as const)("%j → %s", ([text, problem]) => {
    expect(problemsOf(text)[0]?.message).toContain(problem);
  });

  it.each([
    ["quotes", '"'.repeat(500_000)],
    ["quotes after a key", `key = a${'"'.repeat(500_000)}`],
    ["continued lines", "x\\\n".repeat(200_000)],
    ["sections", Array.from({ length: 50_000 }, (_, index) => `[${index}]`).join("\n")],
  ])(
    "hundreds of thousands of %s → read in linear time",
    (_what, text) => {
      expect(parseIni(text).sections.length).toBeGreaterThan(0);
    },
    5_000,
  );

  it("problems on several lines → all of them, with their lines", () => {
    expect(problemsOf("a =\n\n[s]\nb = 1\nb = 2").map(({ line }) => line)).toEqual([1, 5]);
  });

  it("sections → in order, each with its entries", () => {
    const { sections } = parseIni("# first\na = 1\n[one]\nb = 2\n[two : three]\n");
    expect(sections.map(({ name, entries }) => [name, [...entries.keys()]])).toEqual([
      ["", ["a"]],
      ["one", ["b"]],
      ["two : three", []],
    ]);
  });
});

it.each([
  ["a duplicate header", "[a]\nx = 1\n[a]\nx = 2\ny = 1\n[b]\nx = 1", 'duplicate section "a"'],
  ["a garbled header", "[a]\nx = 1\n[b c\nx = 2\ny = 1\n[b ]\nx = 1", 'garbled section header "[b c"'],
])("%s → one problem; the entries after it belong to no section", (_what, text, message) => {
  const { sections } = parseIni(text);
  expect(problemsOf(text)).toEqual([{ line: 3, message }]);
  const keys = sections.map(({ name, entries }) => [name, ...entries.keys()]);
  expect(keys).toEqual([[""], ["a", "x"], ["b", "x"]]);
});

function problemsOf(text: string): IniProblem[] {
  const { sections, damaged } = parseIni(text);
  return [...sections, ...damaged.map(({ section }) => section)].flatMap(({ problems }) => problems);
}
