import { formatValue } from "../../core/errors.ts";
import { matchPage } from "./match-page.ts";
import { compileRule, type LinkRule } from "./rule.ts";

/** A minimal healthy page: an XPath that hits here hits nearly everywhere. */
const plainPage = new TextEncoder().encode(
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>An article</title></head>' +
    "<body><h1>An article</h1><p>Its text.</p></body></html>",
);

/** An ordinary address: a pattern that matches it matches nearly any address. */
const plainArticleUrl = "https://journal.example/articles/1";

/**
 * Returns a one-line warning for each field by which a rule would judge healthy links as broken: the field, the
 * consequence and the value.
 */
export function ruleWarnings({
  statusCodes = "",
  xpath = "",
  finalUrl = "",
}: Pick<LinkRule, "statusCodes" | "xpath" | "finalUrl">): string[] {
  const compiled = compileRule({ statusCodes, xpath, finalUrl });
  const warnings: string[] = [];
  if (compiled.brokenStatuses.has(200)) {
    warnings.push(`statusCodes: names 200, so healthy links are broken (got ${formatValue(statusCodes)})`);
  }
  if (compiled.xpath !== undefined && matchPage(compiled.xpath, plainPage, "text/html").type === "hit") {
    warnings.push(
      `xpath: hits on a page that has only a title, a heading and a paragraph, so healthy links may be broken (got ${formatValue(xpath)})`,
    );
  }
  if (compiled.finalUrl?.matches(plainArticleUrl)) {
    warnings.push(
      `finalUrl: matches ${plainArticleUrl}, so healthy links may be broken (got ${formatValue(finalUrl)})`,
    );
  }
  return warnings;
}
