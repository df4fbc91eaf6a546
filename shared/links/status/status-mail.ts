import { html } from "hono/html";
import { distinctAddresses } from "../../core/mail-address.ts";
import { mailHtml } from "../../core/mail-html.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { Collection } from "./collection.ts";
import type { StatusChange } from "./link-status.ts";
import { changeTypeOf } from "./statistics.ts";
import { english, german, type StatusMailTexts } from "./status-mail-texts.ts";
import type { CheckResult, Sweep } from "./stored-sweep.ts";

interface StatusMailContext {
  /** The recipients of mails about all collections. */
  globalRecipients: string[];
  /** The sweep that caused the change; absent when an operator caused it. */
  sweep?: Pick<Sweep, "samples" | "results"> | undefined;
  /** The URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/** The content of the mail, without the words of a language. */
interface StatusFacts {
  collection: Pick<Collection, "collectionId" | "title" | "hold">;
  change: StatusChange;
  links: CheckedLink[];
  consoleUrl: string;
}

interface CheckedLink extends CheckResult {
  url: string;
  recordId: string;
}

/** Builds the mail about a change of a collection, in English and German. */
export function buildStatusMail(
  { recipients, ...collection }: Pick<Collection, "collectionId" | "title" | "recipients" | "hold">,
  change: StatusChange,
  { globalRecipients, sweep, consoleUrl }: StatusMailContext,
): Mail {
  const links = change.status === "active" ? [] : checkedLinks(sweep);
  const facts = { collection, change, links, consoleUrl };
  const { collectionId, title } = collection;
  return {
    id: `collection.${collectionId}.${change.checkId}`,
    to: distinctAddresses([...globalRecipients, ...recipients]),
    subject: `Ingather: ${title} was ${changeTypeOf(change.status)}`,
    text: `${renderText(facts, english)}\n\n-- Deutsch --\n\n${renderText(facts, german)}\n`,
    html: mailHtml(html`${renderHtml(facts, english)}<hr>
<div lang="de">${renderHtml(facts, german)}</div>`),
  };
}

/** Returns the samples of a sweep with the results of their checks. */
function checkedLinks(sweep: StatusMailContext["sweep"]): CheckedLink[] {
  return (sweep?.samples ?? []).flatMap(({ checkId, url, recordId }) => {
    const result = sweep?.results[checkId];
    return result === undefined ? [] : [{ ...result, url, recordId }];
  });
}

function renderText(facts: StatusFacts, texts: StatusMailTexts): string {
  const { links } = facts;
  const lines = links.flatMap((link) => [
    `  ${link.url} (${texts.finding(link.reason)})`,
    ...detailsOf(link, facts, texts).map(([name, value]) => `    ${name}: ${value}`),
  ]);
  return [
    ...introduction(facts, texts),
    ...(links.length > 0 ? [texts.checked, ...lines] : []),
    effectOf(facts, texts),
    texts.console,
    `  ${pageOf(facts)}`,
    texts.api,
    ...actionsOf(facts, texts).map((action) => `  ${action}`),
  ].join("\n");
}

function renderHtml(facts: StatusFacts, texts: StatusMailTexts) {
  const { links } = facts;
  const linkHtml = (link: CheckedLink) =>
    html`<li><a href="${link.url}">${link.url}</a> (${texts.finding(link.reason)})${detailsOf(
      link,
      facts,
      texts,
    ).map(
      ([name, value, href]) => html`<br>${name}: ${href ? html`<a href="${href}">${value}</a>` : value}`,
    )}</li>`;
  return html`${introduction(facts, texts).map((line) => html`<p>${line}</p>\n`)}${
    links.length > 0
      ? html`<p>${texts.checked}</p>
<ul>${links.map(linkHtml)}</ul>
`
      : ""
  }<p>${effectOf(facts, texts)}</p>
<p>${texts.console} <a href="${pageOf(facts)}">${pageOf(facts)}</a></p>
<p>${texts.api}</p>
<ul>${actionsOf(facts, texts).map((action) => html`<li><code>${action}</code></li>`)}</ul>`;
}

function introduction({ collection, change }: StatusFacts, texts: StatusMailTexts): string[] {
  const { title, collectionId } = collection;
  const words = { title, collectionId, change: changeTypeOf(change.status), at: change.since };
  return [texts.changed(words), texts.reason(change.reason)];
}

/** The hops of a checked link, an excerpt of its page, and the page of its record. */
function detailsOf(
  { hops, excerpt, recordId }: CheckedLink,
  { consoleUrl }: StatusFacts,
  texts: StatusMailTexts,
): [name: string, value: string, href?: string][] {
  const record = `${consoleUrl}/records/${encodeURIComponent(recordId)}`;
  return [
    ...(hops === undefined ? [] : [[texts.hops, hops] as [string, string]]),
    ...(excerpt === undefined ? [] : [[texts.excerpt, excerpt] as [string, string]]),
    [texts.record, record, record],
  ];
}

function effectOf({ collection, change }: StatusFacts, texts: StatusMailTexts): string {
  return collection.hold ? texts.held : texts.effect(change);
}

function pageOf({ collection, consoleUrl }: StatusFacts): string {
  return `${consoleUrl}/collections/${encodeURIComponent(collection.collectionId)}`;
}

/** Returns the requests of the API that are possible now, with their effects. */
function actionsOf({ collection, change }: StatusFacts, { actions }: StatusMailTexts): string[] {
  const path = `/collections/${collection.collectionId}`;
  const reason = '{"reason": "why"}';
  if (collection.hold) return [`POST ${path}/release ${reason} ${actions.release}`];
  const hold = `POST ${path}/hold ${reason} ${actions.hold}`;
  return change.status === "active" ? [hold] : [`POST ${path}/restore ${actions.restore}`, hold];
}
