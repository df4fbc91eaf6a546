import type { DateParts, Season } from "./date-parts.ts";

/** The names of seasons in European languages and Turkish. A name may mean one season only. */
const names: readonly (readonly [Season, string])[] = [
  [
    "spring",
    "spring|frühjahr|frühling|printemps|primavera|lente|voorjaar|vår|forår|wiosna|jaro|tavasz|весна|άνοιξη|ilkbahar|bahar",
  ],
  ["summer", "summer|sommer|sommar|été|verano|estate|verão|estiu|zomer|lato|léto|nyár|лето|καλοκαίρι|yaz"],
  [
    "autumn",
    "autumn|fall|herbst|automne|otoño|autunno|outono|tardor|herfst|najaar|höst|høst|efterår|jesień|podzim|ősz|осень|φθινόπωρο|sonbahar|güz",
  ],
  ["winter", "winter|hiver|invierno|inverno|hivern|vinter|zima|tél|зима|χειμώνας|kış"],
];

const ordinals = [
  "1|i|first|erstes|premier|primer|primo",
  "2|ii|second|zweites|deuxième|segundo|secondo",
  "3|iii|third|drittes|troisième|tercer|terzo",
  "4|iv|fourth|viertes|quatrième|cuarto|quarto",
];
const halves = "halbjahr|half(?:[- ]?year)?|semestre|semester|półrocze|полугодие";
const quarters = "quartal|quarter|trimestre|kwartał|квартал";

function ordinalOf(units: string, prefix: string): [RegExp, number][] {
  return ordinals.map((ordinal, index): [RegExp, number] => [
    new RegExp(
      String.raw`^(?:(?:${ordinal})(?:\.?|st|nd|rd|th|er|ère|e|º|°|ª) (?:${units})|${prefix}${index + 1})$`,
      "iu",
    ),
    index + 1,
  ]);
}

const seasons: readonly (readonly [RegExp, Season])[] = [
  ...names.map(([season, words]) => [new RegExp(`^(?:${words})$`, "iu"), season] as const),
  ...ordinalOf(halves, "h")
    .slice(0, 2)
    .map(([pattern, number]) => [pattern, `half-${number as 1 | 2}`] as const),
  ...ordinalOf(quarters, "q").map(
    ([pattern, number]) => [pattern, `quarter-${number as 1 | 2 | 3 | 4}`] as const,
  ),
];

const years = String.raw`(\d{4})(?: ?[-–/] ?(\d{4}|\d\d))?`;
const seasonFirst = new RegExp(String.raw`^(\S.*?),?(?: (?:of|de|del|\/))? ${years}$`, "u");
const yearFirst = new RegExp(String.raw`^${years},? (\S.*)$`, "u");
const between = /[-–/]/;

/**
 * Parses a season with its year: Spring 2014, Winter 2013/2014, 2014 Fall, 1. Halbjahr 2014, Q3 2014, Summer/Fall 2014.
 * A winter of two years belongs to the year in which it ends, and of two seasons the first one counts.
 */
export function parseSeason(text: string): DateParts | undefined {
  const [, before, first, last] = seasonFirst.exec(text) ?? [];
  const [, yearBefore, lastBefore, after] = yearFirst.exec(text) ?? [];
  const named = (before ?? after ?? "").trim();
  const found = [named, ...named.split(between)].map((part) => findSeason(part.trim()));
  const parts = found.length > 1 ? found.slice(1) : found;
  const season = found[0] ?? (parts.every((part) => part !== undefined) ? parts[0] : undefined);
  if (season === undefined) return undefined;
  const year = Number(first ?? yearBefore);
  const end = last ?? lastBefore;
  if (end === undefined) return { year, season };
  const lastYear = end.length === 2 ? Math.trunc(year / 100) * 100 + Number(end) : Number(end);
  if (lastYear <= year) return undefined;
  return season === "winter" && lastYear === year + 1
    ? { year: lastYear, season }
    : { year, lastYear, season };
}

function findSeason(text: string): Season | undefined {
  return seasons.find(([pattern]) => pattern.test(text))?.[1];
}
