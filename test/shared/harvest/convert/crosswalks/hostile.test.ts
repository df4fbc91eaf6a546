import { expect, it } from "vitest";
import { convert, mods, qualifiedDc } from "./crosswalk-cases.ts";

const mib = 1024 * 1024;
const long = (text: string) => text.repeat(Math.ceil(mib / text.length));

it.each<[string, string]>([
  ["comments before something that is not an element", `${"<!-- -->".repeat(10_000)}<!x`],
  ["processing instructions before it", `${"<?a b?>".repeat(10_000)}<!x`],
  ["words of ISSNs", qualifiedDc(`<dc:source>2049-3630 ${long("-issn")}</dc:source>`)],
  ["semicolons in a source", qualifiedDc(`<dc:source>${long("; ")}</dc:source>`)],
  ["blanks in a subject", qualifiedDc(`<dc:subject>a${long(" ")}b</dc:subject>`)],
  ["a word as a creator", qualifiedDc(`<dc:creator>${long("a")}</dc:creator>`)],
  ["names in one creator", qualifiedDc(`<dc:creator>${long("A b; ")}</dc:creator>`)],
  ["digits in a date", qualifiedDc(`<dc:date>${long("1")}</dc:date>`)],
  ["an identifier", qualifiedDc(`<dc:identifier>${long("10.1234/")}</dc:identifier>`)],
  ["types", qualifiedDc(`<dc:type>${long("/ ")}</dc:type>`)],
  ["a word as a name in MODS", mods(`<name><namePart>${long("a")}</namePart></name>`)],
  ["subjects in MODS", mods("<subject><topic>a</topic><temporal>b</temporal></subject>".repeat(20_000))],
  [
    "blanks in a title of MARCXML",
    `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><datafield tag="245" ind1="0" ind2="0"><subfield code="a">a${long(" ")}b</subfield></datafield></record>`,
  ],
])("a megabyte of %s → an outcome within seconds", (_title, raw) => {
  // Of this thread: other work on the machine does not count.
  const start = process.threadCpuUsage();
  expect(convert(raw).type).toMatch(/^(?:converted|dropped)$/);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(5000);
});
