/**
 * Returns a path of the console with its query, to which the browser is sent after another page. An address outside the
 * console is replaced by the start page, so that no link of the console redirects to another site.
 * @param origin the origin of the console
 */
export function ownAddress(path: string | undefined, origin: string): string {
  const url = path === undefined ? null : URL.parse(path, origin);
  if (url === null || url.origin !== origin || !/^\/console(\/|$)/.test(url.pathname)) return "/console";
  return url.pathname + url.search;
}
