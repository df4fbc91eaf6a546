import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { findYear, parseStatedDate, type StatedDate } from "../../../shared/formats/stated-date.ts";

/** What a text states, by its writer. */
interface Truth {
  year: number;
  month: number;
  day: number;
}
type Stated = Partial<Truth> & { year: number };
type Random = () => number;

const runs = 3000;
const pick = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value;
const pad = (number: number) => String(number).padStart(2, "0");

/** Languages whose dates are read in full, whatever the language of the article. */
const languages =
  "bg ca cs da de de-AT el en en-GB es es-MX et fi fr fr-CA gl hr hu is it ja ko lt lv mk nb nl nn pl pt pt-BR ro ru sk sl sq sr sv tr uk zh".split(
    " ",
  );
/** Languages of which at least the year is read. Their dates may have digits of their own. */
const otherLanguages =
  "ar ar-EG bn eu fa-u-ca-gregory he hi hy ka mr ne th-u-ca-gregory ur vi am my km lo ta te".split(" ");

/** Names that mean another month in Croatian than in Polish and Czech. */
const isAmbiguous = (text: string) => /(?<!\p{L})(?:listopada?|lip|lis|srp)(?!\p{L})/u.test(text);

const styles: Intl.DateTimeFormatOptions[] = [
  { dateStyle: "long" },
  { dateStyle: "full" },
  { day: "numeric", month: "long", year: "numeric" },
  { day: "numeric", month: "short", year: "numeric" },
  { month: "long", year: "numeric" },
  { month: "short", year: "numeric" },
  { year: "numeric" },
];

function localized(
  { year, month, day }: Truth,
  locale: string,
  style: Intl.DateTimeFormatOptions,
): [string, Stated] {
  const at = new Date(Date.UTC(year, month - 1, day));
  const text = new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(at);
  const isWhole = style.dateStyle !== undefined || style.day !== undefined;
  const hasMonth = isWhole || style.month !== undefined;
  return [text, { year, ...(hasMonth && { month }), ...(isWhole && { day }) }];
}

const monthName = (month: number, style: "long" | "short") =>
  new Intl.DateTimeFormat("en", { month: style, timeZone: "UTC" }).format(Date.UTC(2023, month - 1, 15));

/** Forms that databases and publishers write, each with what it states. */
const forms: ((truth: Truth) => [string, Stated])[] = [
  ({ year, month, day }) => [`${year}-${pad(month)}-${pad(day)}`, { year, month, day }],
  ({ year, month, day }) => [`${year}/${month}/${day}`, { year, month, day }],
  ({ year, month, day }) => [`${year}/${pad(month)}/${pad(day)}/`, { year, month, day }],
  ({ year, month, day }) => [`${year}.${pad(month)}.${pad(day)}`, { year, month, day }],
  ({ year, month, day }) => [`${pad(day)}.${pad(month)}.${year}`, { year, month, day }],
  ({ year, month, day }) => [`${year}-${pad(month)}-${pad(day)}T12:30:00Z`, { year, month, day }],
  ({ year, month, day }) => [`${year}-${pad(month)}-${pad(day)} 12:30:00`, { year, month, day }],
  ({ year, month }) => [`${year}-${pad(month)}-00`, { year, month }],
  ({ year, month }) => [`${year}/${pad(month)}`, { year, month }],
  ({ year, month }) => [`${year}-${pad(month)}`, { year, month }],
  ({ year, month }) => [`${pad(month)}/${year}`, { year, month }],
  ({ year, month }) => [`${month}.${year}`, { year, month }],
  ({ year }) => [`${year}`, { year }],
  ({ year }) => [`(${year})`, { year }],
  ({ year }) => [`[${year}]`, { year }],
  ({ year }) => [`${year}.`, { year }],
  ({ year, month, day }) => [`${monthName(month, "short")}. ${day}, ${year}`, { year, month, day }],
  ({ year, month, day }) => [`${monthName(month, "short")} ${day} ${year}`, { year, month, day }],
  ({ year, month, day }) => [
    `${day} ${monthName(month, "short").toUpperCase()} ${year}`,
    { year, month, day },
  ],
  ({ year, month, day }) => [`${year} ${monthName(month, "short")} ${day}`, { year, month, day }],
  ({ year, month }) => [`${year} ${monthName(month, "short")}`, { year, month }],
  ({ year, month }) => [`${year}, ${monthName(month, "long")}`, { year, month }],
  ({ year, month }) => [`${monthName(month, "long")}, ${year}`, { year, month }],
];

const romanMonths = "I II III IV V VI VII VIII IX X XI XII".split(" ");

/** Texts from which only the year is told, or that people write in many ways. */
const looseForms: ((truth: Truth) => string)[] = [
  ({ year }) => `ca. ${year}`,
  ({ year }) => `c${year}`,
  ({ year }) => `©${year}`,
  ({ year }) => `[${year}?]`,
  ({ year }) => `Ostern ${year}`,
  ({ year }) => `Michaelmas ${year}`,
  ({ year, month }) => `${romanMonths[month - 1]}/${year}`,
  ({ year, month }) => `vol. 3, no. ${month} (${year})`,
  ({ year, day }) => `published online ${year}, week ${day}`,
  ({ year }) => `${year}, spring issue`,
  ({ year }) => `an ${year} de grâce`,
  ({ year, month, day }) => `${year}${pad(month)}${pad(day)}`,
  ({ year, month, day }) => `${year}-${pad(month)}-${pad(day)}/${year}-${pad(month)}-28`,
  ({ year, month, day }) => `${pad(month)}/${pad(day)}/${year}`,
  ({ year, month, day }) => `Published: ${day} ${monthName(month, "long")} ${year}`,
  ({ year }) => `Jg. ${year}`,
  ({ year }) => `Sommersemester ${year}`,
  ({ year }) => `${year}年`,
  ({ year }) => `民國103年 (${year})`,
];

function truthOf(random: Random): Truth {
  const at = new Date(Date.UTC(1450, 0, 1) + random() * (Date.UTC(2028, 0, 1) - Date.UTC(1450, 0, 1)));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** As the conversion does, whose common formats are left out. */
function read(text: string): StatedDate | undefined {
  const date = parseStatedDate(text);
  return date !== undefined && date.year <= 2028 ? date : findYear(text, 2028);
}

describe("a date that names its year", () => {
  it(`${runs} dates in ${languages.length} languages → year, month and day as stated, no more and no less`, () => {
    const random = seededRandom(2028);
    for (let run = 0; run < runs; run += 1) {
      const [text, stated] = localized(truthOf(random), pick(languages, random), pick(styles, random));
      const expected = isAmbiguous(text) ? { year: stated.year, isUnread: true } : stated;
      expect(read(text), text).toEqual({ text, ...expected });
    }
  });

  it(`${runs} dates in other languages and digits → their year`, () => {
    const random = seededRandom(7);
    for (let run = 0; run < runs; run += 1) {
      const locale = pick(otherLanguages, random);
      const [text, { year }] = localized(truthOf(random), locale, pick(styles, random));
      expect(read(text)?.year, `${text} (${locale})`).toBe(year);
    }
  });

  it(`${runs} dates in the forms of databases → year, month and day as stated`, () => {
    const random = seededRandom(11);
    for (let run = 0; run < runs; run += 1) {
      const [text, stated] = pick(forms, random)(truthOf(random));
      expect(read(text), text).toEqual({ text, ...stated });
    }
  });

  it(`${runs} loose statements → their year`, () => {
    const random = seededRandom(13);
    for (let run = 0; run < runs; run += 1) {
      const truth = truthOf(random);
      const text = pick(looseForms, random)(truth);
      expect(read(text)?.year, text).toBe(truth.year);
    }
  });
});
