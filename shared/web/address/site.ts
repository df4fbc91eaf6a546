import { getDomain } from "tldts";

/**
 * Returns the site of a URL, which a crawl does not leave. The site is the registrable domain of the host, so `www.`
 * and `journals.` belong to the same site. Public suffixes (`ac.uk`, `gouv.fr`, `github.io`) are not sites. An IP
 * address is its own site.
 * @see https://publicsuffix.org/
 */
export function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
