import { expect, it } from "vitest";
import { parseStatedDate } from "../../../shared/formats/stated-date.ts";

it.each<[string, string[], string]>([
  ["2024", [], "2024-1-1"],
  ["2024-04", [], "2024-4-1"],
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
  ["October 1976", [], "1976-10-1"],
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
])("%s with names in %j → %s", (text, languages, expected) => {
  const { year, month, day } = parseStatedDate(text, languages) ?? {};
  expect(`${year}-${month}-${day}`).toBe(expected);
});

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
  ["Spring 2020", []],
  ["Published 24 April 2024", []],
  ["24.04.2024", []],
  ["15032014", []],
  ["20141315", []],
  ["201403", []],
  ["04/05/2024", []],
  ["24 Apr 13", []],
  ["24 April 2024 and later", []],
])("%s with names in %j → left to the configured formats", (text, languages) => {
  expect(parseStatedDate(text, languages)).toBeUndefined();
});
