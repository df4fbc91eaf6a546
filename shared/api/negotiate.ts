/**
 * Returns the media type of a response according to the request's `Accept`: the one with the highest quality or, among
 * equal ones, the first in `offered`.
 * @param offered media types, the default first
 * @returns undefined when the client accepts none of them
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-12.5.1
 */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const ranges = accept.split(",").map(parseRange);
  const rated = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }));
  const best = Math.max(...rated.map(({ quality }) => quality));
  return best > 0 ? rated.find(({ quality }) => quality === best)?.type : undefined;
}

interface MediaRange {
  range: string;
  quality: number;
}

function parseRange(text: string): MediaRange {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Returns the quality of the most specific range that matches: `a/b` before `a/*` before `*` + `/*`. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const [kind = ""] = type.split("/");
  for (const wanted of [type, `${kind}/*`, "*/*"]) {
    const found = ranges.find(({ range }) => range === wanted);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
