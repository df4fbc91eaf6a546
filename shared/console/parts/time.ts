import { html } from "hono/html";
import type { Html, PageRequest } from "../page.ts";

type Where = Pick<PageRequest, "zone" | "now" | "texts" | "language">;

/** By their settings: to make one takes far longer than to use it, and a list shows hundreds of times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 200;

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  // Zones come from browsers: a larger number is not from people.
  if (formats.size >= maxFormats) formats.clear();
  formats.set(key, format);
  return format;
}

/** A time as people say it in their zone, such as “today 20:03”; the exact instant with its zone on hover. */
export function time(instant: string | Date | undefined, where: Where): Html {
  if (instant === undefined) return html`<span class="quiet">${where.texts.time.never}</span>`;
  const at = new Date(instant);
  return html`<time datetime="${at.toISOString()}" title="${exactTime(at, where)}">${spokenTime(at, where)}</time>`;
}

/** `today 20:03`, `yesterday 20:03`, `19 Nov 20:04`, `19 Nov 2025`. */
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

/** When something was published: the day alone, `6 Oct 2026`, of what is dated by days, which are midnights in UTC. */
export function published(instant: string, where: Where): Html {
  const at = new Date(instant);
  if (at.getTime() % 86_400_000 !== 0) return time(at, where);
  const day = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  const text = formatOf(localeOf(where.language), day).format(at);
  return html`<time datetime="${at.toISOString().slice(0, 10)}">${text}</time>`;
}

/** `2026-11-22 20:03:11 Europe/Berlin`. */
export function exactTime(at: Date, { zone }: Pick<Where, "zone">): string {
  const text = formatOf("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(at);
  return `${text} ${zone}`;
}

/** `Sunday 22 November`. */
export function longDay(at: Date, { zone, language }: Pick<Where, "zone" | "language">): string {
  return formatOf(localeOf(language), {
    timeZone: zone,
    weekday: "long",
    day: "numeric",
    month: "long",
  }).format(at);
}

/** `2026-11-22`, of an instant in a zone. */
export function localDay(at: Date, zone: string): string {
  return formatOf("sv", { timeZone: zone, dateStyle: "short" }).format(at);
}

/** Days since 1970 of an instant, in a zone. */
function dayNumber(at: Date, zone: string): number {
  return Math.round(Date.parse(`${localDay(at, zone)}T00:00:00Z`) / 86_400_000);
}

/** Numbers and dates as the language writes them. */
export function localeOf(language: string): string {
  return language === "en" ? "en-GB" : language;
}

/** `98.2 %`, of a share from 0 to 1. */
export function percent(share: number, { language }: Pick<Where, "language">): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${new Intl.NumberFormat(localeOf(language), digits).format(share * 100)} %`;
}
