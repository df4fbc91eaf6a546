/**
 * A path of the console with its query, to go to after something else; the start page for whatever leads elsewhere, so
 * that no link of the console redirects to another site.
 * @param origin the console's own
 */
export function ownAddress(path: string | undefined, origin: string): string {
  const url = path === undefined ? null : URL.parse(path, origin);
  if (url === null || url.origin !== origin || !/^\/console(\/|$)/.test(url.pathname)) return "/console";
  return url.pathname + url.search;
}
