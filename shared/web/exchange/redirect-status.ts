/** The other 3xx are final responses: 300 offers a choice, 304 validates a cache, 305 and 306 are obsolete. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Decides whether a response is a redirect that is followed. */
export function isRedirect(status: number): boolean {
  return redirects.has(status);
}
