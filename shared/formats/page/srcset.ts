/**
 * Returns the URLs of a `srcset` or `imagesrcset`, as written.
 * @see https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
 */
export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  // A URL with its descriptors. The descriptors extend to a comma outside parentheses. There are none if the URL itself
  // ends with a comma.
  const candidate = /[\s,]*(?![\s,])(\S*[^\s,])(?:(,+)|(?:\s+(?:[^,(]|\([^)]*\)?)*)?(?:,|$))/y;
  for (let match = candidate.exec(srcset); match !== null; match = candidate.exec(srcset)) {
    if (match[1] !== undefined) urls.push(match[1]);
  }
  return urls;
}
