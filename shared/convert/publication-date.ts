import { compileDateFormat } from "../sources/date-format.ts";
import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";

/**
 * Parses a date with the first format that matches the whole text: the source's formats, then the common ones. A missing
 * month or day becomes 01.
 * @returns YYYY-MM-DD; undefined when no format matches
 */
export function parsePublicationDate(text: string, source: Source, settings: Settings): string | undefined {
  const { formats, locales } = source.dateFormats;
  for (const format of [...formats, ...settings.commonDateFormats]) {
    const date = compileDateFormat(format).parse(text, locales);
    if (date) return `${date.year}-${twoDigits(date.month)}-${twoDigits(date.day)}`;
  }
  return undefined;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
