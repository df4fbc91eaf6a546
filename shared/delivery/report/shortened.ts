import { oneLine } from "../../core/one-line.ts";

const textChars = 300;
const urlChars = 120;
const longUrl = /https?:\/\/\S{113,}/g;

/**
 * Text of any length and in any lines, as one of a readable length, in the order in which it is written. The ends of texts and URLs tell as much as
 * their beginnings: both are cut in the middle, URLs first.
 */
export function shortened(text: string): string {
  const plain = oneLine(text);
  if (plain.length <= textChars) return plain;
  return cutInside(
    plain.replace(longUrl, (url) => cutInside(url, urlChars)),
    textChars,
  );
}

/** Whether a URL is too long to be shown, and so too long to be followed. */
export function isTooLong(url: string): boolean {
  return url.length > textChars;
}

/** Two thirds of what is left are the beginning; no character is cut in two. */
function cutInside(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const tail = Math.floor((mostChars - 1) / 3);
  const head = mostChars - 1 - tail;
  return `${text.slice(0, head).replace(/[\ud800-\udbff]$/, "")}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}
