import { getDomain } from "tldts";

/**
 * The site of a URL, which a crawl does not leave: the registrable domain of its host, so that `www.` and `journals.` belong
 * to one site. Public suffixes (`ac.uk`, `gouv.fr`, `github.io`) are not sites. An IP address is its own site.
 * @see https://publicsuffix.org/
 */
export function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
