import { truncateBytes } from "../core/truncate-text.ts";
import { doiUrl } from "../identifiers/doi.ts";
import type { DataField, MarcRecord } from "../marc/record.ts";
import type { Group } from "../sources/group.ts";
import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import { subjectGroups } from "../sources/subject-groups.ts";
import type { Article } from "./article.ts";
import type { Authorities } from "./authorities.ts";
import { maxFieldBytes } from "./custom-fields.ts";
import { issueFields } from "./issue-fields.ts";
import { keywordField } from "./keywords.ts";
import { chooseLicenceCode } from "./licence-code.ts";
import { buildAuthorityLinkFields, buildPersonFields, findAuthorityNumber } from "./people.ts";
import type { ResolvedArticle } from "./resolve-article.ts";
import { buildSelectionFields } from "./selection-codes.ts";

/** What a record says beside the article itself. */
export interface RecordContext {
  source: Source;
  group: Group;
  settings: Settings;
  /** The page that was harvested: URL $a of an article that names no URL. */
  harvestedUrl: string;
  /** YYYY-MM-DD. */
  today: string;
  authorities: Authorities;
}

/**
 * The MARC record of an article, but for 001 and the filters: each field where its concept puts it, sorted by tag at
 * the end by `sortFields`.
 */
export function buildRecord(resolved: ResolvedArticle, context: RecordContext): MarcRecord {
  const { article, kind, hostTitle, people, orcids } = resolved;
  const { source, group, settings, authorities } = context;
  const year = (resolved.date ?? context.today).slice(0, 4);
  const isArticle = article.itemType === "journalArticle" || kind.isReview || kind.isNote;
  const isLinked = people.every((person) => findAuthorityNumber(person, authorities) !== undefined);
  const personsNeedWork = source.tiefp === "J" && people.length > 0 && !kind.isReview && !isLinked;

  const fields: DataField[] = [
    ...buildPersonFields(people, authorities, orcids),
    ...buildAuthorityLinkFields(people, authorities, group.linkedAuthorMark),
    buildField("040", "  ", "aDE-627", "bger", "cDE-627", "erda"),
    buildField("245", "00", `a${article.title}`),
    buildField("264", " 1", `c${year}`),
    buildField("852", "  ", `a${group.isil}`),
    buildField("912", "  ", "aNOMM"),
    buildField("JOU", "  ", `a${source.title}`),
    buildField("URL", "  ", `a${article.url || context.harvestedUrl}`),
    ...resolved.languages.map((code) => buildField("041", "  ", `a${code}`)),
    ...subjectGroupFields(source),
    ...linkFieldsToArticle(article, chooseLicenceCode(source, settings, article.notes)),
    ...issueFields(article, source.title, hostTitle, year),
    ...article.keywords.map((keyword) => keywordField(keyword, settings.genreKeywords)),
    ...buildSelectionFields(source, group, personsNeedWork),
  ];
  if (article.abstract) fields.push(buildField("520", "  ", `a${truncateAbstract(article.abstract)}`));
  if (resolved.date !== undefined && !isArticle) fields.push(buildField("362", "  ", `a${resolved.date}`));
  if (kind.isReview) fields.push(reviewField());
  if (kind.isNote) fields.push(buildField("NOT", "  ", "a1"));
  if (source.pagesNotOnlineFirst) fields.push(buildField("PNO", "  ", "a1"));
  if (source.zederId !== undefined)
    fields.push(
      buildField("ZID", "  ", `a${source.zederId}`, `b${group.zederInstance ?? group.groupId.toLowerCase()}`),
    );

  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["003", group.isil],
      ["007", hostTitle.type === "known" && hostTitle.medium === "print" ? "tu" : "cr|||||"],
    ],
    fields,
  };
}

/** By tag; fields of the same tag stay in order. */
export function sortFields(record: MarcRecord): void {
  const byTag = (a: [string, ...unknown[]], b: [string, ...unknown[]]) =>
    a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
  record.control.sort(byTag);
  record.fields.sort(byTag);
}

function reviewField(): DataField {
  return buildField("655", " 7", "aRezension", "0(DE-588)4049712-4", "0(DE-627)106186019", "2gnd-content");
}

/** A field whose subfields are written as code and value. */
function buildField(tag: string, indicators: string, ...subfields: string[]): DataField {
  return [tag, indicators, subfields.map((subfield) => [subfield.slice(0, 1), subfield.slice(1)])];
}

/** 084: the collection focus of the subject service; left out where each article is selected by hand. */
function subjectGroupFields({ ssgn, selectiveEvaluation }: Source): DataField[] {
  const numbers = ssgn === undefined || selectiveEvaluation ? undefined : subjectGroups.get(ssgn);
  return numbers ? [buildField("084", "  ", ...numbers.map((number) => `a${number}`), "2ssgn")] : [];
}

/** 024 and 856: the article's own URL before that of its DOI. */
function linkFieldsToArticle(article: Article, licence: string): DataField[] {
  const urls = new Set([article.url, article.doi && doiUrl(article.doi)].filter(Boolean));
  return [
    ...(article.doi ? [buildField("024", "7 ", `a${article.doi}`, "2doi")] : []),
    ...[...urls].map((url) => buildField("856", "40", `u${url}`, `z${licence}`)),
  ];
}

/** An abstract that fits in its field, with `...` where it was cut. */
function truncateAbstract(abstract: string): string {
  const maxBytes = maxFieldBytes - Buffer.byteLength(`  ${"\u001f"}a`);
  return Buffer.byteLength(abstract) <= maxBytes ? abstract : `${truncateBytes(abstract, maxBytes - 3)}...`;
}
