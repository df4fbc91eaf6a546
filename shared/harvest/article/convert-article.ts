// Input: what the witnesses of one article say. Output: the outcome of the article (converted, known, dropped or
// failed). Called by convert-article-content.ts for each article.

import { dayIn } from "../../core/day.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { DetectLanguage } from "../../formats/language/detect-language.ts";
import { identifyingFields, type ZoteroItem } from "../../formats/zotero-item.ts";
import { issnProblem, normalizeIssns } from "../../identifiers/issn.ts";
import { archiveModeOf, buildArchiveKeys, withoutListAddress } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { findKnownReason, type KnownReason } from "../../records/archive/known-reason.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { authorityLookupUrl } from "../authority/authority.ts";
import { lookUpAuthorities } from "../authority/look-up-authorities.ts";
import { truncateWarnings } from "../convert/conversion.ts";
import { resolveItems, writeRecords } from "../convert/convert.ts";
import type { LookupPorts } from "../lookups/look-up.ts";
import { identityProvenance } from "../witnesses/identities.ts";
import { mergeStatements } from "../witnesses/merge-statements.ts";
import { describeNotice, describeOriginFindings, ownNotices } from "../witnesses/origin-findings.ts";
import type { Statements } from "./article-content.ts";
import { completeStatements } from "./complete-statements.ts";
import { withoutSharedAbstract } from "./shared-abstracts.ts";
import { type StoreRecordPorts, storeRecord } from "./store-record.ts";

/** The context of an article request, with the response that contains the items. */
export interface ArticleConversionContext {
  /** The id of the outcome. */
  id: string;
  runId: string;
  sourceId: string;
  entry: FeedEntry;
  /** The key of the stored page of the response. */
  pageKey: string;
  run: Run;
  response: InboundResponse;
  /**
   * The address of the list or search that contains the item. It is not used as a key of the item's record. Absent when
   * the address belongs to the item itself.
   */
  listUrl?: string | undefined;
  /** The problems of reading the items. */
  warnings: string[];
}

export interface ConvertArticlePorts extends LookupPorts, StoreRecordPorts {
  sources: SourceStore;
  archive: Pick<ArchiveStore, "knownReasons">;
  runs: Pick<RunStore, "claimRequests">;
  detectLanguage: DetectLanguage;
  timeZone: string;
}

/** Returns the fields that every article outcome has. */
export function articleBase({
  id,
  sourceId,
  entry: { url, title },
}: Pick<ArticleConversionContext, "id" | "sourceId" | "entry">) {
  return { requestId: id, sourceId, url, ...(title !== undefined && { title }) };
}

/**
 * Merges the statements about one article, converts the item and stores its record.
 * @returns the outcome; undefined while a registration agency is asked about its DOI, or the authority file about names
 */
export async function convertArticle(
  statements: Statements,
  harvestedUrl: string,
  context: ArticleConversionContext,
  ports: ConvertArticlePorts,
): Promise<DocumentOutcome | undefined> {
  const { item } = mergeStatements(statements);
  const { sourceId, entry } = context;
  const base = articleBase(context);
  const { url } = entry;
  const mode = archiveModeOf(context.run);
  const knownAs = async (keys: string[]) => findKnownReason(keys, await ports.archive.knownReasons(keys));
  // All keys of the record are checked later. This earlier check only saves lookups.
  const { doi, url: own = url } = identifyingFields(item);
  const { listUrl } = context;
  const keyUrls = (urls: string[]) => (listUrl === undefined ? urls : withoutListAddress(urls, listUrl));
  const itemKeys = buildArchiveKeys({ doi, urls: keyUrls([url, own]) }, mode);
  const isKnown = () => knownAs(itemKeys);
  const conversion = await convertStatements(statements, harvestedUrl, { ...context, doi, isKnown }, ports);
  if (conversion.type === "waiting") return undefined;
  if (conversion.type === "known") return { ...base, state: "known", as: conversion.as };
  if (conversion.type !== "converted") {
    const as = await isKnown();
    if (as !== undefined) return { ...base, state: "known", as };
  }
  if (conversion.type === "unconfigured") {
    return {
      ...base,
      state: "failed",
      reason: `source ${sourceId}, or its group, is no longer configured`,
    };
  }
  if (conversion.type === "dropped") {
    // Earlier problems may be the cause: for example, an unavailable linked record might have contained the missing
    // issue.
    const reasons = [`${conversion.reason}: ${conversion.detail}`, ...truncateWarnings(conversion.problems)];
    return { ...base, state: "dropped", reason: reasons.join("; ") };
  }
  const keys = buildArchiveKeys({ ...conversion, urls: keyUrls([url, ...conversion.urls]) }, mode);
  const knownAfter = await knownAs(keys);
  if (knownAfter !== undefined) return { ...base, state: "known", as: knownAfter, title: conversion.title };
  return storeRecord(base, conversion, { ...context, keys }, ports);
}

type StatementsContext = ArticleConversionContext & {
  doi: string | undefined;
  isKnown: () => Promise<KnownReason | undefined>;
};

/** Completes the statements by those of registration agencies, and converts what they say. */
async function convertStatements(
  statements: Statements,
  harvestedUrl: string,
  { runId, sourceId, entry, response, warnings: problems, doi, isKnown }: StatementsContext,
  ports: ConvertArticlePorts,
) {
  const { sources, detectLanguage, clock, timeZone } = ports;
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined) return { type: "unconfigured" as const };
  const settings = await sources.settings();
  const today = dayIn(timeZone, clock.now());
  const lookup = { runId, response };
  const completed = await completeStatements(
    statements,
    { ...lookup, source, group, doi, today, isKnown },
    ports,
  );
  if (completed.type !== "completed") return completed;
  const { item, origin } = completed;
  const allProblems = [...completed.warnings, ...problems];
  const warnings = [...describeOriginFindings(origin.findings), ...allProblems];
  const journal = source.title === source.url ? describeJournal(item) : {};
  const { title = source.title, pageIssn } = journal;
  const described = { source: { ...source, title }, group, settings, harvestedUrl, pageIssn };
  const own = await withoutSharedAbstract([item], { sourceId, entryUrl: entry.url }, ports.runs);
  const generalNotes = ownNotices(origin.notices, doi).map(describeNotice);
  const context = { ...described, generalNotes, warnings: [...warnings, ...own.warnings] };
  const preparedItems = await resolveItems(own.items, { ...context, today }, detectLanguage);
  const base = authorityLookupUrl(source, group, settings);
  if (base !== undefined && preparedItems.namesToLookUp.length > 0) {
    const as = await isKnown();
    if (as !== undefined) return { type: "known" as const, as };
  }
  const { userAgent } = group;
  const names = preparedItems.namesToLookUp;
  const authorities = await lookUpAuthorities(names, { ...lookup, base, userAgent }, ports);
  if (authorities === undefined) return { type: "waiting" as const };
  const [conversion] = writeRecords(preparedItems, context, { today, authorities });
  if (conversion === undefined) throw new Error("an item was converted to nothing");
  const { collectionId = sourceId } = source;
  const isLeftOut = own.items[0]?.abstractNote === undefined;
  const provenance = [
    ...origin.provenance.filter(({ field }) => field !== "abstract" || !isLeftOut),
    ...identityProvenance(authorities),
  ];
  const { groupId } = group;
  return { ...conversion, groupId, collectionId, origin: { ...origin, provenance }, problems: allProblems };
}

/**
 * Returns the journal of an article according to its page. A source that was given as a URL has no other information
 * about its journal.
 */
function describeJournal({ publicationTitle, ISSN }: Partial<ZoteroItem> = {}): {
  title?: string;
  pageIssn?: string;
} {
  const isValid = (issn: string) => issnProblem(issn) === undefined;
  const pageIssn = typeof ISSN === "string" ? normalizeIssns([ISSN])?.split(", ").find(isValid) : undefined;
  return { ...(publicationTitle && { title: publicationTitle }), ...(pageIssn && { pageIssn }) };
}
