import { truncateBytes } from "../../core/truncate-text.ts";
import { formatFirstDay, formatYears } from "../../formats/stated-date.ts";
import { doiUrl } from "../../identifiers/doi.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import type { DataField, MarcRecord } from "../../marc/record.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import type { Article } from "./article.ts";
import type { Authorities } from "./authorities.ts";
import { buildCollectionFields } from "./collection-fields.ts";
import { maxFieldBytes } from "./custom-fields.ts";
import { issueFields } from "./issue-fields.ts";
import { chooseLicenceCode } from "./licence-code.ts";
import { buildAuthorityLinkFields, buildPersonFields, findAuthority } from "./people.ts";
import type { ResolvedArticle } from "./resolve-article.ts";
import { buildSelectionFields } from "./selection-codes.ts";

/** The data of a record that are not part of the article. */
interface RecordContext {
  source: Source;
  group: Group;
  settings: Settings;
  /** The harvested page, which is the URL $a of an article without a URL. */
  harvestedUrl: string;
  /** The texts of general notes, such as that the article was retracted. */
  generalNotes?: readonly string[];
  /** YYYY-MM-DD. */
  today: string;
  authorities: Authorities;
}

/**
 * Builds the MARC record of an article, without 001 and before the filters. `finishRecord` adds the rest and sorts the
 * fields.
 */
export function buildRecord(resolved: ResolvedArticle, context: RecordContext): MarcRecord {
  const { article, kind, hostTitle, people, orcids } = resolved;
  const { source, group, settings, authorities } = context;
  const { date } = resolved;
  const currentYear = settings.currentYearIfUndated ? context.today.slice(0, 4) : undefined;
  const year = date === undefined ? currentYear : formatYears(date);
  const isArticle = article.itemType === "journalArticle" || kind.isReview || kind.isNote;
  const isLinked = people.every(
    (person) => person.isBody || findAuthority(person, authorities) !== undefined,
  );
  const personsNeedWork = source.tiefp === "J" && people.length > 0 && !kind.isReview && !isLinked;

  const fields: DataField[] = [
    ...buildPersonFields(people, authorities, orcids),
    ...buildAuthorityLinkFields(people, authorities, group.linkedAuthorMark),
    buildField("245", "00", `a${article.title}`),
    ...(year === undefined ? [] : [buildField("264", " 1", `c${year}`)]),
    ...buildCollectionFields(article.url || withoutTrackingParameters(context.harvestedUrl), context),
    ...resolved.languages.map((code) => buildField("041", "  ", `a${code}`)),
    ...linkFieldsToArticle(article, chooseLicenceCode(source, settings, article)),
    ...issueFields(article, { journal: source.title, host: hostTitle, year }),
    ...article.keywords.map((keyword) => keywordField(keyword, settings.genreKeywords)),
    ...buildSelectionFields(source, group, personsNeedWork),
  ];
  if (article.abstract) fields.push(buildField("520", "  ", `a${truncateAbstract(article.abstract)}`));
  for (const note of context.generalNotes ?? []) fields.push(buildField("500", "  ", `a${note}`));
  if (date !== undefined && !isArticle) fields.push(buildField("362", "  ", `a${formatFirstDay(date)}`));
  if (kind.isReview) fields.push(reviewField());
  if (kind.isNote) fields.push(buildField("NOT", "  ", "a1"));
  if (source.pagesNotOnlineFirst) fields.push(buildField("PNO", "  ", "a1"));

  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["003", group.isil],
      ["007", hostTitle.type === "known" && hostTitle.medium === "print" ? "tu" : "cr|||||"],
    ],
    fields,
  };
}

function reviewField(): DataField {
  return buildField("655", " 7", "aRezension", "0(DE-588)4049712-4", "0(DE-627)106186019", "2gnd-content");
}

/**
 * Builds a field.
 * @param subfields code and value in one string: `aNOMM`
 */
function buildField(tag: string, indicators: string, ...subfields: string[]): DataField {
  return [tag, indicators, subfields.map((subfield) => [subfield.slice(0, 1), subfield.slice(1)])];
}

/** Builds 024 and 856. The article's own URL comes first, followed by the URL of its DOI. */
function linkFieldsToArticle(article: Article, licence: string): DataField[] {
  const urls = new Set([article.url, article.doi && doiUrl(article.doi)].filter(Boolean));
  return [
    ...(article.doi ? [buildField("024", "7 ", `a${article.doi}`, "2doi")] : []),
    ...[...urls].map((url) => buildField("856", "40", `u${url}`, `z${licence}`)),
  ];
}

/** Truncates the abstract to the maximum length of a field, and appends `...`. */
function truncateAbstract(abstract: string): string {
  const maxBytes = maxFieldBytes - Buffer.byteLength(`  ${"\u001f"}a`);
  return Buffer.byteLength(abstract) <= maxBytes ? abstract : `${truncateBytes(abstract, maxBytes - 3)}...`;
}

const germanTerms = new Map([
  ["bibliography", "Bibliografie"],
  ["obituary", "Nachruf"],
]);

/** Builds 655 for a genre keyword, or 650 for any other keyword. */
function keywordField(keyword: string, genreKeywords: readonly string[]): DataField {
  const lowerCase = keyword.toLowerCase();
  if (genreKeywords.some((genre) => genre.toLowerCase() === lowerCase))
    return ["655", " 4", [["a", keyword]]];
  return ["650", " 4", [["a", germanTerms.get(lowerCase) ?? keyword]]];
}
