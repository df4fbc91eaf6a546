import { expect, test } from "vitest";
import { parseFeedDate } from "../../../../shared/formats/feed/feed-dates.ts";

test.each([
  ["2021", "2021"],
  ["2021-11", "2021-11"],
  ["2021-11-23", "2021-11-23"],
  ["2021-11-23T21:32:35Z", "2021-11-23T21:32:35Z"],
  ["2021-11-24T02:34:50+0900", "2021-11-24T02:34:50+09:00"],
  ["2021-11-24T02:34+09:00", "2021-11-24T02:34:00+09:00"],
  ["2013-05-05 17:21:47.529 Z", "2013-05-05T17:21:47Z"],
  ["2022-02-01T00:00:00", "2022-02-01T00:00:00"],
  ["Tue, 23 Nov 2021 06:00:00 -0500", "2021-11-23T06:00:00-05:00"],
  ["Tue, 3 Nov 2021 6:00 GMT", "2021-11-03T06:00:00Z"],
  ["23 November 2021", "2021-11-23"],
  ["Wed, 17 Jan 18 15:50:00 EST", "2018-01-17T15:50:00-05:00"],
  ["Sat, 19 Mar 88 07:15:00 GMT", "1988-03-19T07:15:00Z"],
  ["Wed, 17 Jan 2018 15:50:00 CEST", "2018-01-17T15:50:00"],
  ["Wed,  17 Jan 2018\n15:50:00 UT", "2018-01-17T15:50:00Z"],
  ["29 Feb 2024", "2024-02-29"],
  ["29 Feb 2023", undefined],
  ["2021-13-01", undefined],
  ["2021-11-23T25:00:00Z", undefined],
  ["Seg, 24 Set 2018 19:42:40 -0300", undefined],
  ["1518478934", undefined],
  ["Spring 2023", undefined],
])("%j → %s", (given, iso) => {
  expect(parseFeedDate(given)?.iso).toBe(iso);
});

test.each([undefined, "", "  "])("%j → no date", (given) => {
  expect(parseFeedDate(given)).toBeUndefined();
});
