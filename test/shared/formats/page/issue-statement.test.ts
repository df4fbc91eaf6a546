import { expect, it } from "vitest";
import { parseIssueStatement } from "../../../../shared/formats/page/recipes/issue-statement.ts";

it.for<[string, object]>([
  ["Vol. 12 No. 3 (2021): Frost", { volume: "12", issue: "3", date: "2021" }],
  ["Vol. 12 (2021)", { volume: "12", date: "2021" }],
  ["No 12 (2020)", { issue: "12", date: "2020" }],
  ["v. 8 n. 1 (2020): jan./jun.", { volume: "8", issue: "1", date: "2020" }],
  ["v. 8 n.º 1 (2020)", { volume: "8", issue: "1", date: "2020" }],
  ["Bd. 4 Nr. 2 (2019)", { volume: "4", issue: "2", date: "2019" }],
  ["Bd. 4, Heft 2/3, 2019", { volume: "4", issue: "2/3", date: "2019" }],
  ["Núm. 31 (2018)", { issue: "31", date: "2018" }],
  ["Vol. XII No. IV (1931)", { volume: "XII", issue: "IV", date: "1931" }],
  ["Том 12 № 3 (2021)", { volume: "12", issue: "3", date: "2021" }],
  ["Cilt 5 Sayı 2 (2022)", { volume: "5", issue: "2", date: "2022" }],
  ["Volume 111, 2013 - Issue 16-17: In honour", { volume: "111", issue: "16-17", date: "2013" }],
  ["Vol. 6:299-323 (Volume publication date March 2015)", { volume: "6", pages: "299-323", date: "2015" }],
  ["Issue Vol. 2 No. 1 Section Articles", { volume: "2", issue: "1" }],
  ["Volume 25, Number 10 (2014)", { volume: "25", issue: "10", date: "2014" }],
  ["Jg. 25, Nummer 10 (2014)", { volume: "25", issue: "10", date: "2014" }],
  ["Band 25, Heft 10, 2014/2015", { volume: "25", issue: "10", date: "2014/2015" }],
  ["Jahrgang 25 (2014/15) Nr. 10", { volume: "25", issue: "10", date: "2014/15" }],
  ["Том 25 №10 (2014)", { volume: "25", issue: "10", date: "2014" }],
  ["2021: Special Issue on Vowels", { date: "2021" }],
  ["Not one of the 3 bells", {}],
])("%s → %j", ([text, expected]) => {
  expect(JSON.parse(JSON.stringify(parseIssueStatement(text)))).toEqual(expected);
});
