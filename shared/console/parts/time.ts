import { html } from "hono/html";
import type { Html, PageRequest } from "../page.ts";

type Where = Pick<PageRequest, "zone" | "now" | "texts" | "language">;

/**
 * The formats by their settings. They are cached because creating one takes far longer than using it, and a list shows
 * hundreds of times.
 */
const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 200;

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  // Time zones come from browsers, so a greater number is not caused by people.
  if (formats.size >= maxFormats) formats.clear();
  formats.set(key, format);
  return format;
}

/**
 * Renders a time in the reader's zone and usual wording, such as “today 20:03”. The exact instant with its zone is
 * shown on hover.
 */
export function time(instant: string | Date | undefined, where: Where): Html {
  if (instant === undefined) return html`<span class="quiet">${where.texts.time.never}</span>`;
  const at = new Date(instant);
  return html`<time datetime="${at.toISOString()}" title="${exactTime(at, where)}">${spokenTime(at, where)}</time>`;
}

/** Formats a time as `today 20:03`, `yesterday 20:03`, `19 Nov 20:04` or `19 Nov 2025`. */
export function spokenTime(at: Date, { zone, now, texts, language }: Where): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    formatOf(localeOf(language), { timeZone: zone, ...options }).format(at);
  const hour = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = dayNumber(now, zone) - dayNumber(at, zone);
  if (days === 0) return `${texts.time.today} ${hour}`;
  if (days === 1) return `${texts.time.yesterday} ${hour}`;
  if (Math.abs(days) < 200) return `${format({ day: "numeric", month: "short" })} ${hour}`;
  return format({ day: "numeric", month: "short", year: "numeric" });
}

/**
 * Renders the time of a publication. A midnight in UTC means a date without a time, so only the day is shown: `6 Oct
 * 2026`.
 */
export function published(instant: string, where: Where): Html {
  const at = new Date(instant);
  if (at.getTime() % 86_400_000 !== 0) return time(at, where);
  const day = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  const text = formatOf(localeOf(where.language), day).format(at);
  return html`<time datetime="${at.toISOString().slice(0, 10)}">${text}</time>`;
}

/** Formats a time as `2026-11-22 20:03:11 Europe/Berlin`. */
export function exactTime(at: Date, { zone }: Pick<Where, "zone">): string {
  const text = formatOf("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(at);
  return `${text} ${zone}`;
}

/** Formats a day as `Sunday 22 November`. */
export function longDay(at: Date, { zone, language }: Pick<Where, "zone" | "language">): string {
  return formatOf(localeOf(language), {
    timeZone: zone,
    weekday: "long",
    day: "numeric",
    month: "long",
  }).format(at);
}

/** Returns the day of an instant in a zone, such as `2026-11-22`. */
export function localDay(at: Date, zone: string): string {
  return formatOf("sv", { timeZone: zone, dateStyle: "short" }).format(at);
}

/** Returns the number of days since 1970 of an instant in a zone. */
function dayNumber(at: Date, zone: string): number {
  return Math.round(Date.parse(`${localDay(at, zone)}T00:00:00Z`) / 86_400_000);
}

/** Returns the locale for numbers and dates of a language. */
export function localeOf(language: string): string {
  return language === "en" ? "en-GB" : language;
}

/** Formats a share from 0 to 1, such as `98.2 %`. */
export function percent(share: number, { language }: Pick<Where, "language">): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${new Intl.NumberFormat(localeOf(language), digits).format(share * 100)} %`;
}
