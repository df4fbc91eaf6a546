import { oneLine } from "../../core/one-line.ts";

const maxTextChars = 300;
const maxUrlChars = 120;
const longUrl = /https?:\/\/\S{113,}/g;

/**
 * Shortens any text to one line of a readable length. It cuts texts and URLs in the middle, URLs first, as their ends
 * say as much as their beginnings.
 */
export function shortenText(text: string): string {
  const plain = oneLine(text);
  if (plain.length <= maxTextChars) return plain;
  return cutMiddle(
    plain.replace(longUrl, (url) => cutMiddle(url, maxUrlChars)),
    maxTextChars,
  );
}

/** Whether a URL is too long to show. */
export function isTooLong(url: string): boolean {
  return url.length > maxTextChars;
}

/** Keeps two thirds from the beginning and one from the end, and no half characters. */
function cutMiddle(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const tail = Math.floor((mostChars - 1) / 3);
  const head = mostChars - 1 - tail;
  return `${text.slice(0, head).replace(/[\ud800-\udbff]$/, "")}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}
