export interface Name {
  text: string;
  number: number;
  /** Set for the first three letters of a name that the locale abbreviates in another way, or not at all. */
  isBeginning?: true;
}

/** The names of months and weekdays in a locale. January and Sunday have the number 1. */
export interface NameTable {
  months: Name[];
  weekdays: Name[];
}

/** Returns the longest of the names that begins at this position of the text, in any case. */
export function matchLongestName(
  names: Name[],
  text: string,
  at: number,
): { number: number; end: number } | undefined {
  const rest = text.slice(at).toLowerCase();
  let longest: Name | undefined;
  for (const name of names)
    if (rest.startsWith(name.text) && name.text.length > (longest?.text.length ?? 0)) longest = name;
  return longest && { number: longest.number, end: at + longest.text.length };
}

/** Decides whether there are names for a BCP 47 tag. */
export function isKnownLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

const nameTables = new Map<string, NameTable>();

export function nameTable(locale: string): NameTable {
  let table = nameTables.get(locale);
  if (!table) {
    // 2023-01-01 was a Sunday.
    table = {
      months: namesOf(locale, "month", 12, (index) => Date.UTC(2023, index, 1)),
      weekdays: namesOf(locale, "weekday", 7, (index) => Date.UTC(2023, 0, index + 1)),
    };
    nameTables.set(locale, table);
  }
  return table;
}

/**
 * Returns all forms of each name: in full, alone, beside a day (апрель, 24 апреля) and beside a year; as the locale abbreviates it
 * (without the period); and its first three letters.
 */
function namesOf(
  locale: string,
  part: "month" | "weekday",
  count: number,
  day: (index: number) => number,
): Name[] {
  const written = (["long", "short"] as const).flatMap((style) =>
    [
      { [part]: style },
      { [part]: style, day: "numeric" as const },
      { [part]: style, year: "numeric" as const },
    ].map((fields) => new Intl.DateTimeFormat(locale, { ...fields, timeZone: "UTC" })),
  );
  return Array.from({ length: count }, (_, index) => {
    const texts = written.flatMap((style) =>
      style
        .formatToParts(day(index))
        .filter(({ type }) => type === part)
        .map(({ value }) => value.toLowerCase().replace(/\.$/, "")),
    );
    const whole = new Set(texts);
    const beginnings = new Set(texts.map((text) => text.slice(0, 3)).filter((text) => !whole.has(text)));
    const number = index + 1;
    return [
      ...[...whole].map((text) => ({ text, number })),
      ...[...beginnings].map((text) => ({ text, number, isBeginning: true as const })),
    ];
  }).flat();
}
