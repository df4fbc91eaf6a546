/**
 * Query parameters, in lower case, that track readers and have no other meaning on any site: Google (campaigns,
 * clicks), Facebook, Microsoft, X, Mailchimp, HubSpot, Marketo, Mapp (Webtrekk), Elsevier. `cmp`, `ref`, `source` and
 * `journalCode` are not in the list, because they select content on some sites.
 */
const trackingParameters =
  /^(?:utm_[a-z_]+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|ref_src|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|wt[._]mc(?:_id)?|cmpid|dgcid)$/;

/** Parameters that feeds append to the URLs of their entries (Atypon; HighWire, Elsevier). */
const feedParameters: ReadonlySet<string> = new Set(["af=r", "rss=1", "rss=yes"]);

/** Removes tracking parameters. Everything else is unchanged, even in an invalid URL. */
export function withoutTrackingParameters(url: string): string {
  const [, beforeQuery = "", query, fragment = ""] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === undefined) return url;
  const all = query.split("&");
  const kept = all.filter((parameter) => !isTracking(parameter.toLowerCase()));
  if (kept.length === all.length) return url;
  return `${beforeQuery}${kept.length === 0 ? "" : `?${kept.join("&")}`}${fragment}`;
}

function isTracking(parameter: string): boolean {
  // Feeds that escape URLs twice have `&amp;` between parameters.
  const own = parameter.replace(/^amp;/, "");
  const [name = ""] = own.split("=", 1);
  return trackingParameters.test(name) || feedParameters.has(own);
}
