import { compileDateFormat } from "../sources/date-format.ts";
import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";

/**
 * A date as YYYY-MM-DD by the first format that fits all of it, the source's before the common ones; a missing month
 * or day counts as the first. Undefined when none fits.
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
