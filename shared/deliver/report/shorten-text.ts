import { oneLine } from "../../core/one-line.ts";

const maxTextChars = 300;
const maxUrlChars = 120;
const longUrl = /https?:\/\/\S{113,}/g;

/**
 * Shortens a text to one line of a readable length. Texts and URLs are cut in the middle, because their ends are as
 * informative as their beginnings. URLs are cut first.
 */
export function shortenText(text: string): string {
  const plain = oneLine(text);
  if (plain.length <= maxTextChars) return plain;
  return cutMiddle(
    plain.replace(longUrl, (url) => cutMiddle(url, maxUrlChars)),
    maxTextChars,
  );
}

/** Returns whether a URL is too long to be shown. */
export function isTooLong(url: string): boolean {
  return url.length > maxTextChars;
}

/**
 * Cuts a text in the middle. Two thirds of the kept characters are from the beginning, one third from the end.
 * Surrogate pairs are not split.
 */
function cutMiddle(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const tail = Math.floor((mostChars - 1) / 3);
  const head = mostChars - 1 - tail;
  return `${text.slice(0, head).replace(/[\ud800-\udbff]$/, "")}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}
