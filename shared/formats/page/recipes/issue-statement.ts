import type { ArticleMetadata } from "../../article-metadata.ts";
import { formatPageRange } from "../../page-range.ts";
import { parseStatedDate } from "../../stated-date.ts";

/**
 * Words before a volume number, as journals write them in European languages and Turkish. The next constant has the
 * words before an issue number.
 */
const volumeWords =
  "vol(?:umen?)?|v|bd|band|jg|jahrgang|jaargang|tom[eo]?|t|cilt|årg|[åa]rgang|том|т|rocznik|kötet|année|año|anno";
const issueWords =
  "issues?|iss|number|nummer|numer|no|nos|nr|n|num|ausgabe|номер|núm(?:ero)?|número|numero|numéro|heft|h|fasc(?:icolo|icule)?|sayı|zeszyt|z|szám|вып|broj";

const value = String.raw`(?:\d+\p{L}?(?:\s?[-–/]\s?\d+)?|[IVXLC]+(?!\p{L}))`;
/** After a single letter, a sign is required: "v. 3", "n.º 3". */
const separator = String.raw`(?:(?<=\p{L}{2})\.?[ºo°]?|\.[ºo°]?|[º°]\.?)\s*`;

function numbered(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${words})${separator}(${value})`, "iu");
}

const volumeNumber = numbered(volumeWords);
const issueNumber = new RegExp(`${numbered(issueWords).source}|№\\s*(${value})`, "iu");
/** "2014", or a span of two years: "2014/2015", "2014-15". */
const yearNumber = /(?<!\d)((?:1[5-9]|20)\d\d(?:[-–/](?:\d{4}|\d\d))?)(?![-–/]?\d)/g;
/** "Vol. 6:299-323" */
const pagesAfterVolume = /\d\s?:\s?([A-Z]?\d+(?:\s?[-–]\s?[A-Z]?\d+)?)/;

type Statement = Pick<ArticleMetadata, "volume" | "issue" | "date" | "pages">;

/**
 * Parses the line that names volume, issue and year: "Vol. 12 No. 3 (2021): Bees", "Bd. 4 Nr. 2 (2019)", "v. 8 n. 1
 * (2020)", "Volume 111, 2013 - Issue 16-17", "Vol. 6:299-323". Fields that the line does not name are undefined.
 */
export function parseIssueStatement(text: string): Statement {
  const [, volume] = volumeNumber.exec(text) ?? [];
  const [, issue, afterSign] = issueNumber.exec(text) ?? [];
  const [, pages] = pagesAfterVolume.exec(text) ?? [];
  const numbers = [volume, issue ?? afterSign].map((number) => number?.replace(/\s?[-–]\s?/, "-"));
  const rest = text.replace(volumeNumber, "").replace(issueNumber, "");
  return {
    volume: numbers[0],
    issue: numbers[1],
    date: [...rest.matchAll(yearNumber)].map(([, date = ""]) => date).find((date) => parseStatedDate(date)),
    pages: formatPageRange(pages, undefined),
  };
}
