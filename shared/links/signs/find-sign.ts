import { PageFacts, type SignedResponse } from "./page-facts.ts";
import type { Sign } from "./sign.ts";
import { signs } from "./signs.ts";

/** Returns the first sign whose conditions a response meets; undefined for a response without a sign. */
export function findSign(response: SignedResponse): Sign | undefined {
  const facts = new PageFacts(response);
  return signs.find((sign) => meets(facts, sign));
}

/** Decides whether a response meets all conditions of a sign. */
export function meets(facts: PageFacts, sign: Sign): boolean {
  const { header, title, heading, text, markup, finalUrl, refresh, is } = sign;
  return (
    (header === undefined || header[1].test(facts.headers[header[0]] ?? "")) &&
    (finalUrl === undefined || leadsTo(finalUrl, facts.lastUrl, facts)) &&
    (title === undefined || facts.titles.some((each) => title.test(each))) &&
    (heading === undefined || (facts.heading !== "" && heading.test(facts.heading))) &&
    (markup === undefined || (facts.markup !== "" && markup.test(facts.markup))) &&
    (text === undefined || (facts.text !== "" && text.test(facts.text))) &&
    (refresh === undefined || leadsTo(refresh, facts.refresh, facts)) &&
    (is === undefined || is(facts))
  );
}

/** Decides whether an address matches, and that of the link does not: only a way that leads there shows something. */
function leadsTo(pattern: RegExp, url: string, { firstUrl }: PageFacts): boolean {
  return url !== "" && pattern.test(url.toLowerCase()) && !pattern.test(firstUrl.toLowerCase());
}
