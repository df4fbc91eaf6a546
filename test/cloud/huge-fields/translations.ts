import { fill, hugeVariants } from "./variants.ts";

const item = `[{"itemType":"{{itemType:journalArticle}}","title":"{{title:On nets NAME}}","url":"{{url:https://t.example/}}NAME","DOI":"{{DOI:10.1234/}}t-NAME","volume":"{{volume:7}}","issue":"{{issue:2}}","pages":"{{pages:1-9}}","date":"{{date:2026-01-02}}","ISSN":"{{ISSN:2049-3630}}","language":"{{language:en}}","abstractNote":"{{abstractNote:On nets.}}","publicationTitle":"{{publicationTitle:A journal}}","libraryCatalog":"{{libraryCatalog:Nets}}","rights":"{{rights:free}}","extra":"{{extra:PMID#}}","creators":[{"creatorType":"{{creatorType:author}}","firstName":"{{firstName:Ada}}","lastName":"{{lastName:Weaver}}"}],"tags":[{"tag":"{{tag:nets}}"}],"notes":[{"note":"{{note:LF#}}"}]}]`;

const choices = `{"url":"{{choices-url:ORIGIN/}}","session":"{{session:/}}","items":{"{{name:ORIGIN/article/}}chosen":"{{choice:On nets}}","ORIGIN/article/choice":"On knots"}}`;

/** What a translation server answers on an article, by its name. `ORIGIN` stands for the site. */
export function hugeTranslations(): Map<string, [status: number, body: string]> {
  const translations = new Map<string, [number, string]>([
    ["usual", [200, fill(item).replaceAll("NAME", "usual")]],
  ]);
  for (const [field, text] of hugeVariants(item))
    translations.set(field, [200, text.replaceAll("NAME", field)]);
  for (const [field, text] of hugeVariants(choices)) translations.set(field, [300, text]);
  translations.set("failure", [500, `${" word".repeat(100_000)}`]);
  return translations;
}
