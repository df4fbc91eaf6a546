import { collapseSpace } from "../plain-text.ts";
import type { FeedEntry } from "./feed-entry.ts";

/** A date as the feed writes it, with its ISO 8601 form if it can be parsed. */
export interface FeedDate {
  given: string;
  iso?: string | undefined;
}

/** The date fields of an entry. */
export type EntryDates = Pick<FeedEntry, "published" | "publishedIso" | "updated" | "updatedIso">;

/** Builds the date fields of an entry. */
export function buildEntryDates({
  published,
  updated,
}: Record<"published" | "updated", FeedDate | undefined>): EntryDates {
  return {
    published: published?.given,
    publishedIso: published?.iso,
    updated: updated?.given,
    updatedIso: updated?.iso,
  };
}

const isoDate =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,]\d+)? ?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/** RFC 822 and RFC 2822, with or without weekday, seconds and zone. */
const rfc822Date =
  /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4}|\d\d)(?: (\d{1,2}:\d\d)(:\d\d)?(?: ([a-z]{1,5}|[+-]\d\d:?\d\d))?)?$/i;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** @see https://www.rfc-editor.org/rfc/rfc2822#section-4.3 */
const zones: Readonly<Record<string, string>> = {
  z: "Z",
  ut: "Z",
  utc: "Z",
  gmt: "Z",
  est: "-05:00",
  edt: "-04:00",
  cst: "-06:00",
  cdt: "-05:00",
  mst: "-07:00",
  mdt: "-06:00",
  pst: "-08:00",
  pdt: "-07:00",
};

/**
 * Parses a date to ISO 8601 with the same precision: "2021-11", "2021-11-23" or "2021-11-23T06:00:00-05:00". The feed's
 * time zone is kept, because the day of publication is that at the publisher's location.
 * @see https://www.w3.org/TR/NOTE-datetime
 * @see https://www.rfc-editor.org/rfc/rfc2822#section-3.3
 */
export function parseFeedDate(text: string | undefined): FeedDate | undefined {
  const given = collapseSpace(text ?? "");
  if (given === "") return undefined;
  const iso = isoDate.exec(given);
  if (iso !== null) {
    const [, year, month, day, time, seconds, zone] = iso;
    return { given, iso: formatIso([year, month, day], { time, seconds, zone }) };
  }
  const [, day = "", monthName = "", year = "", time, seconds, zone] = rfc822Date.exec(given) ?? [];
  const month = months.indexOf(monthName.toLowerCase()) + 1;
  if (month === 0) return { given };
  const date = [fullYear(year), String(month).padStart(2, "0"), day.padStart(2, "0")];
  return { given, iso: formatIso(date, { time: time?.padStart(5, "0"), seconds, zone }) };
}

/**
 * Formats a date in ISO 8601.
 * @returns undefined for an impossible day or time
 */
function formatIso(
  [year, month, day]: (string | undefined)[],
  { time, seconds = ":00", zone = "" }: Record<"time" | "seconds" | "zone", string | undefined>,
): string | undefined {
  const instant = new Date(`${year}-${month ?? "01"}-${day ?? "01"}T${time ?? "00:00"}${seconds}Z`);
  if (Number.isNaN(instant.getTime()) || instant.getUTCDate() !== Number(day ?? 1)) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join("-");
  return time === undefined ? date : `${date}T${time}${seconds}${formatOffset(zone)}`;
}

/** Formats a zone: "+0900" becomes "+09:00", and "EST" becomes "-05:00". An unknown zone is ignored. */
function formatOffset(zone: string): string {
  return zones[zone.toLowerCase()] ?? (/^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "");
}

function fullYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
}
