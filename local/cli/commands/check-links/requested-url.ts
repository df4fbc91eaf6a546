/**
 * Returns the URL that is requested for a link: without credentials and fragment. All spellings of a page's
 * URL yield the same result.
 */
export function requestedUrl(link: string): string {
  return spelled(link, { keepsFragment: false });
}

/** Returns the requested URL with the fragment, which identifies a part of a page. */
export function requestedPart(link: string): string {
  return spelled(link, { keepsFragment: true });
}

function spelled(link: string, { keepsFragment }: { keepsFragment: boolean }): string {
  const url = URL.parse(link);
  if (url === null) return link;
  if (!keepsFragment) url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
