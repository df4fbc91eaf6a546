import { describe, expect, it } from "vitest";
import {
  compileDateFormat,
  dateFormatText,
  dateLocale,
} from "../../../../shared/records/sources/date-format.ts";

describe("compileDateFormat", () => {
  it.for([
    ["%Y-%m-%d", "2021-05-06", [], [2021, 5, 6]],
    ["%Y/%m", "2022/6", [], [2022, 6]],
    ["%Y", "2020", [], [2020]],
    ["%b %d, %Y", "October 1, 2020", [], [2020, 10, 1]],
    ["%b %d, %Y", "sept 3, 2020", ["en-GB"], [2020, 9, 3]],
    ["%d. %B %Y", "24. März 2020", ["de-DE"], [2020, 3, 24]],
    ["%d. %B %Y", "1. May 2020", ["de-DE"], [2020, 5, 1]],
    ["%a, %d %b %Y %H:%M:%S %z", "Tue, 12 Mar 2024 12:00:01 +0100", [], [2024, 3, 12]],
    ["%a, %d %b %Y %H:%M:%S %Z", "Tue, 12 Mar 2024 12:00:01 GMT", [], [2024, 3, 12]],
    ["%a., %d %b. %Y", "vie., 05 abr. 2024", ["es-ES"], [2024, 4, 5]],
    ["%Y-%m-%dT%H:%M:%S%z", "2024-03-12T12:00:01Z", [], [2024, 3, 12]],
    ["%Y-%m-%dT%H:%M:%S%z", "2024-03-12T12:00:01+01:00", [], [2024, 3, 12]],
    ["00/%Y", "00/2019", [], [2019]],
    ["%e.%m.%y", "7.5.98", [], [1998, 5, 7]],
    ["%Y %%", "2020 %", [], [2020]],
  ] as const)("%s on %s, locales %j → %j", ([format, text, locales, [year, month, day]]) => {
    expect(compileDateFormat(format).parse(text, locales)).toEqual({
      year,
      ...(month && { month }),
      ...(day && { day }),
    });
  });

  it.for([
    ["%Y-%m-%d", "2021-05-06T10:00"],
    ["%Y-%m-%d", "2021-13-06"],
    ["%d. %B %Y", "24. März 2020"],
    ["%d %b", "24 May"],
    ["%Y", "21"],
  ] as const)("%s on %s → no date", ([format, text]) => {
    expect(compileDateFormat(format).parse(text, [])).toBeUndefined();
  });
});

describe("the schemas", () => {
  it("an unknown conversion → a problem that names it", () => {
    expect(dateFormatText.safeParse("%Y-%Q").error?.issues[0]?.message).toContain("%Q");
  });

  it.for(["xx-QQ", "not a locale"])("locale %s → unknown", (locale) => {
    expect(dateLocale.safeParse(locale).error?.issues[0]?.message).toBe("unknown locale");
  });
});
