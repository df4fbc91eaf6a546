import { expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { findYear, formatYears, parseStatedDate } from "../../../shared/formats/stated-date.ts";

it.each<[string, string[], string]>([
  ["2024", [], "2024"],
  ["2024-04", [], "2024-4"],
  ["2024-04-24", [], "2024-4-24"],
  ["2024-04-24T10:00:00.000Z", [], "2024-4-24"],
  ["2023-11-02T10:00:00", [], "2023-11-2"],
  ["2024-06-01T10:00:00Z", [], "2024-6-1"],
  ["2024-06-01T23:30-05:00", [], "2024-6-1"],
  ["2013-05-05 17:21:47.529 Z", [], "2013-5-5"],
  ["20140315", [], "2014-3-15"],
  ["24 Apr 2013", [], "2013-4-24"],
  ["24 April 2024", [], "2024-4-24"],
  [" 24\n April  2024 ", [], "2024-4-24"],
  ["24-Apr-2013", [], "2013-4-24"],
  ["4th of September, 2020", [], "2020-9-4"],
  ["Sept. 4, 2020", [], "2020-9-4"],
  ["October 1st, 2020", [], "2020-10-1"],
  ["October 1976", [], "1976-10"],
  ["Tue, 12 Mar 2024 12:00:01 +0100", [], "2024-3-12"],
  ["Tuesday, March 12, 2024 9:15 PM", [], "2024-3-12"],
  ["Tue, 12 Mar 2024 12:00 GMT", [], "2024-3-12"],
  ["24. März 2020", ["de"], "2020-3-24"],
  ["24 de abril de 2024", ["es"], "2024-4-24"],
  ["1er février 2020", ["fr"], "2020-2-1"],
  ["Seg, 24 Set 2018 19:42:40 -0300", ["pt"], "2018-9-24"],
  ["24 апреля 2024", ["ru"], "2024-4-24"],
  ["3 listopad 2020", ["pl"], "2020-11-3"],
  ["24. März 2024", ["en"], "2024-3-24"],
  ["März 24, 2020", [], "2020-3-24"],
  ["24 avril 2024", [], "2024-4-24"],
  ["24 de abril de 2024", ["fr", "no locale"], "2024-4-24"],
  ["24 апреля 2024", ["de"], "2024-4-24"],
  ["mercredi 24 avril 2024", ["en"], "2024-4-24"],
  ["2014.03", [], "2014-3"],
  ["2014/03", [], "2014-3"],
  ["2011-11-00", [], "2011-11"],
  ["2012/01/00", [], "2012-1"],
  ["2014-00-00", [], "2014"],
  ["2014/02/01/", [], "2014-2-1"],
  ["2020/31/12", [], "2020-12-31"],
  ["08.11.2011", [], "2011-11-8"],
  ["8. 11. 2011", [], "2011-11-8"],
  ["13/05/2014", [], "2014-5-13"],
  ["05/13/2014", [], "2014-5-13"],
  ["03/2020", [], "2020-3"],
  ["2014 Mar", [], "2014-3"],
  ["2014 March 5", [], "2014-3-5"],
  ["le 5 mars 2014", [], "2014-3-5"],
  ["2020年5月3日", [], "2020-5-3"],
  ["March-April 2014", [], "2014-3 to 4"],
  ["2011 Mar-Apr", [], "2011-3 to 4"],
  ["September/October 2010", [], "2010-9 to 10"],
  ["Sept./Oct. 2010", [], "2010-9 to 10"],
  ["December 2013/January 2014", [], "2013/2014-12 to 1"],
  ["2014/2015", [], "2014/2015"],
  ["2013–2014", [], "2013/2014"],
  ["2014/15", [], "2014/2015"],
  ["2010/11", [], "2010-11"],
  ["Spring 2014", [], "2014 spring"],
  ["2014, Herbst", [], "2014 autumn"],
  ["primavera de 2014", [], "2014 spring"],
  ["Summer/Fall 2014", [], "2014 summer"],
  ["Winter 2013/2014", [], "2014 winter"],
  ["Hiver 2013-14", [], "2014 winter"],
  ["1. Halbjahr 2014", [], "2014 half-1"],
  ["2e semestre 2014", [], "2014 half-2"],
  ["Q3 2014", [], "2014 quarter-3"],
])("%s with names in %j → %s", (text, languages, expected) => {
  const date = parseStatedDate(text, languages);
  if (date === undefined) throw new Error("not read");
  const { month, lastMonth, day, season } = date;
  const months = lastMonth === undefined ? month : `${month} to ${lastMonth}`;
  const read = [formatYears(date), months, day].filter((part) => part !== undefined).join("-");
  expect(season === undefined ? read : `${read} ${season}`).toBe(expected);
});

it.each<[string, number | undefined]>([
  ["sometime in 2014", 2014],
  ["Ostern 2014", 2014],
  ["2014 (erschienen 2015)", 2014],
  ["31032014", 2014],
  ["201403", 2014],
  ["2020/02/30", 2020],
  ["2029", undefined],
  ["12345", undefined],
  ["10.1234/1402014123", undefined],
  ["no. 1449", undefined],
  ["soon", undefined],
])("%s, which no pattern reads, in 2026 → %s", (text, year) => {
  expect(findYear(text, 2028)).toEqual(year && { text, year, isUnread: true });
});

/** The ways in which journals write a month, with what they state. */
const writers: ((date: { year: number; month: number; day: number }) => string)[] = [
  ({ year, month, day }) => `${year}-${pad(month)}-${pad(day)}`,
  ({ year, month, day }) => `${year}/${month}/${day}/`,
  ({ year, month, day }) => `${pad(day)}.${pad(month)}.${year}`,
  ({ year, month, day }) => `${day}. ${monthName("de", month)} ${year}`,
  ({ year, month, day }) => `le ${day} ${monthName("fr", month)} ${year}`,
  ({ year, month, day }) => `${monthName("en", month)} ${day}, ${year}`,
  ({ year, month, day }) => `${day} de ${monthName("es", month)} de ${year}`,
  ({ year, month, day }) => `${year} ${monthName("en", month)} ${day}`,
];

it("every day of 1450 to 2026, however it is written → that day, with no more and no less", () => {
  const random = seededRandom(28);
  for (let run = 0; run < 4000; run += 1) {
    const at = new Date(Date.UTC(1450, 0, 1) + random() * (Date.UTC(2026, 0, 1) - Date.UTC(1450, 0, 1)));
    const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
    const text = writers[Math.floor(random() * writers.length)]?.(date) ?? "";
    expect(parseStatedDate(text), text).toEqual({ text, ...date });
  }
});

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function monthName(locale: string, month: number): string {
  return new Intl.DateTimeFormat(locale, { month: "long" }).format(new Date(2023, month - 1, 15));
}

it.each<[string, string[]]>([
  ["", []],
  ["0000", []],
  ["0000-00-00", []],
  ["2023-02-29", []],
  ["29 Feb 2023", []],
  ["31 April 2024", []],
  ["3 listopad 2020", ["en"]],
  ["3 listopada 2020", ["fr", "no locale"]],
  ["3 rug 2020", []],
  ["3 listopad 2020", ["pl", "hr"]],
  ["sometime in 2020", []],
  ["Published 24 April 2024", []],
  ["15032014", []],
  ["20141315", []],
  ["201403", []],
  ["04/05/2024", []],
  ["24 Apr 13", []],
  ["24 April 2024 and later", []],
])("%s with names in %j → left to the configured formats", (text, languages) => {
  expect(parseStatedDate(text, languages)).toBeUndefined();
});
