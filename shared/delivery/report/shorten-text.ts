import { oneLine } from "../../core/one-line.ts";

const maxTextChars = 300;
const maxUrlChars = 120;
const longUrl = /https?:\/\/\S{113,}/g;

/**
 * Text of any length and in any lines, as one of a readable length, in the order in which it is written. The ends of texts and URLs tell as much as
 * their beginnings: both are cut in the middle, URLs first.
 */
export function shortenText(text: string): string {
  const plain = oneLine(text);
  if (plain.length <= maxTextChars) return plain;
  return cutMiddle(
    plain.replace(longUrl, (url) => cutMiddle(url, maxUrlChars)),
    maxTextChars,
  );
}

/** Whether a URL is too long to be shown, and so too long to be followed. */
export function isTooLong(url: string): boolean {
  return url.length > maxTextChars;
}

/** Two thirds of what is left are the beginning; no character is cut in two. */
function cutMiddle(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const tail = Math.floor((mostChars - 1) / 3);
  const head = mostChars - 1 - tail;
  return `${text.slice(0, head).replace(/[\ud800-\udbff]$/, "")}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}
