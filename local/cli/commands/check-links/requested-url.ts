/** The URL of a link in the spelling of requests: without credentials and fragment. All spellings of a page share it. */
export function requestedUrl(link: string): string {
  return spelled(link, { keepsFragment: false });
}

/** The same with the fragment: a part of a page. */
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
