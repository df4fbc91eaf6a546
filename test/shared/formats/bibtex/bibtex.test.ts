import { expect, test } from "vitest";
import { parseBibtex } from "../../../../shared/formats/bibtex/bibtex.ts";
import { latexToText } from "../../../../shared/formats/bibtex/latex.ts";
import { person, statementsOf } from "../record-file/statements-of.ts";

test("a journal article → all its fields", () => {
  const entry = `Some words @ the start.
@string{bfk = "Bl{\\"a}tter f{\\"u}r " # {Klangkunde}}
@comment{nothing}
@Article{Amsinck_2022,
  Title = {{Bells} in the {Fog}: {\\'E}tude},
  author = {Amsinck, Liesel and {\\"O}zg{\\"u}r, Ay\\c{s}e and {Institut f\\"ur Klang and Co} and Doe, Jr., John and others},
  editor = "Ludwig van Beethoven",
  journal = bfk,
  year = 2022, month = dec, day = {1},
  volume = {14}, number = "2", pages = {33--58},
  doi = {10.55555/bfk\\_2022}, issn = {2999-1234},
  url = {https://blaetter.example/417},
  abstract = {50\\% of the bells \\textit{are} heard -- 
     in the fog},
  keywords = {bells, fog},
  publisher = {Klang \\& Co},
}`;
  expect(statementsOf(parseBibtex(entry))).toEqual([
    {
      itemType: "journalArticle",
      title: "Bells in the Fog: Étude",
      creators: [
        person("Liesel", "Amsinck"),
        person("Ayşe", "Özgür"),
        { creatorType: "author", name: "Institut für Klang and Co" },
        person("John Jr.", "Doe"),
        person("Ludwig van", "Beethoven", "editor"),
      ],
      publicationTitle: "Blätter für Klangkunde",
      date: "2022-12-01",
      volume: "14",
      issue: "2",
      pages: "33-58",
      DOI: "10.55555/bfk_2022",
      ISSN: "2999-1234",
      url: "https://blaetter.example/417",
      abstracts: [{ text: "50% of the bells are heard – in the fog" }],
      keywords: ["bells", "fog"],
      publisher: "Klang & Co",
    },
  ]);
});

test.each<[string, string, object[] | string]>([
  [
    "BibLaTeX, round brackets, no key",
    "@thesis(title={A}, subtitle={B}, date={2020-05}, institution={Uni})",
    [{ itemType: "thesis", title: "A: B", date: "2020-05", university: "Uni" }],
  ],
  [
    "a month in words",
    "@misc{k, title={A}, year=2020, month={Spring}}",
    [{ title: "A", date: "Spring 2020" }],
  ],
  [
    "a value that never ends → the fields before it",
    "@book{k, title={A}, note={x",
    [{ itemType: "book", title: "A" }],
  ],
  ["a field given twice → the first", "@book{k, title={A}, title={B}}", [{ itemType: "book", title: "A" }]],
  [
    "a quote in braces inside quotes",
    '@book{k, title="A {"}B{"} C"}',
    [{ itemType: "book", title: 'A "B" C' }],
  ],
  [
    "a page of HTML → unreadable",
    "<!doctype html><p>write to a@b.example {x}",
    "it has no entry with a field",
  ],
  ["an entry without fields → unreadable", "@article{key}", "it has no entry with a field"],
])("%s", (_title, text, expected) => {
  expect(statementsOf(parseBibtex(text))).toEqual(expected);
});

test.each([
  ["Jos\\'e Mart\\'{\\i}nez", "José Martínez"],
  ["Ha\\v{s}ek \\v s", "Hašek š"],
  ['Erd\\H{o}s, \\AA ngstr\\"om, Stra{\\ss}e', "Erdős, Ångström, Straße"],
  ["\\L{}\\'od\\'z", "Łódź"],
  ["``quoted'' --- and~more", "“quoted” — and more"],
  ["\\{a\\} \\$5 \\#1 $x$", "{a} $5 #1 x"],
  ["\\emph{\\textbf{bold} words}", "bold words"],
  ["C:\\\\path", "C: path"],
  ["The \\constructor of bells", "The of bells"],
  ["plain", "plain"],
])("LaTeX %s → %s", (latex, text) => {
  expect(latexToText(latex)).toBe(text);
});

test.each([
  ["strings that double", `@string{a={${"x".repeat(1000)}}}${"@string{a=a#a}".repeat(5000)}@book{k,title=a}`],
  ["one value of many parts", `@string{a={${"x".repeat(40_000)}}}@book{k,title=${"a#".repeat(200_000)}a}`],
  ["blanks without end", `@book{k,title={a},author={${"a ".repeat(10)}${" ".repeat(500_000)}x}}`],
  ["entries that never end", "@a{".repeat(300_000)],
  ["braces without end", `@a{k, title=${"{".repeat(500_000)}`],
  ["commands without end", `@a{k, title={${'\\"'.repeat(250_000)}}}`],
])("hostile: %s → read in linear time", (_title, text) => {
  expect(["records", "unreadable"]).toContain(parseBibtex(text).type);
});
