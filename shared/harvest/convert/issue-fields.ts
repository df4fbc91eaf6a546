import type { DataField, Subfield } from "../../marc/record.ts";
import type { HostTitle } from "../../records/sources/host-title.ts";
import type { Article } from "./article.ts";
import { pagesStatement, parsePageNumbers } from "./page-numbers.ts";

/**
 * Builds 773 and 936 from the journal title, volume, issue and pages of an article.
 * @param year undefined for an article without a date
 */
export function issueFields(
  article: Article,
  { journal, host, year }: { journal: string; host: HostTitle; year: string | undefined },
): DataField[] {
  const { volume, issue } = article;
  const articleIdNote = article.notes.get("articleid")?.[0];
  const { stated, arabic, articleId } = parsePageNumbers(article.pages, articleIdNote);

  const statementParts = [`${volume || issue}${year === undefined ? "" : ` (${year})`}`];
  if (volume && issue) statementParts.push(issue);
  if (articleId) statementParts.push(`Artikel ${articleId}`);
  if (stated) statementParts.push(pagesStatement(stated));
  const statement = volume || issue ? statementParts.join(", ") : undefined;

  const in773: Subfield[] = [
    ["i", "In: "],
    ["t", journal],
  ];
  if (host.type === "known") in773.push(["x", host.issn], ["w", `(DE-627)${host.ppn}`]);
  if (host.type === "unregistered" && host.issn !== undefined) in773.push(["x", host.issn]);
  if (statement !== undefined) in773.push(["g", statement]);

  const in936: Subfield[] = [];
  if (volume || issue) in936.push(["d", volume || issue]);
  if (volume && issue) in936.push(["e", issue]);
  if (articleId) in936.push(["i", articleId]);
  if (stated) in936.push(["h", arabic ?? stated]);
  if (year !== undefined) in936.push(["j", year]);
  if (arabic !== undefined && statement !== undefined) in936.push(["y", statement]);

  const fields: DataField[] = [["773", statement === undefined ? "  " : "08", in773]];
  if (in936.length > 0) fields.push(["936", "uw", in936]);
  return fields;
}
