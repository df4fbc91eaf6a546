import { fill, hugeVariants } from "./variants.ts";

const meta = (fields: Record<string, string>, attribute = "name") =>
  Object.entries(fields)
    .map(
      ([name, value]) =>
        `<meta ${attribute}="${name}" content="{{${name.replaceAll(/\W/g, "-")}:${value}}}">`,
    )
    .join("");

const date = "2026/01/02";

/** What makes a page an article. */
const usualMeta = `<meta name="citation_author" content="Weaver, Ada"><meta name="citation_volume" content="1"><meta name="citation_journal_title" content="J"><meta name="citation_publication_date" content="${date}">`;

/** Pages of articles by vocabulary. `PAGE` is the address of the page. */
const templates: Record<string, string> = {
  highwire: `<title>{{title:On nets}}</title><h1>x</h1>${meta({
    citation_title: "On nets",
    citation_author: "Weaver, Ada",
    citation_author_email: "ada@example.org",
    citation_author_orcid: "https://orcid.org/0000-0002-1825-0097",
    citation_author_institution: "School of nets",
    citation_journal_title: "A journal",
    citation_publisher: "Nets",
    citation_publication_date: date,
    citation_volume: "7",
    citation_issue: "2",
    citation_firstpage: "1",
    citation_lastpage: "9",
    citation_issn: "2049-3630",
    citation_language: "en",
    citation_keywords: "nets",
    citation_abstract: "On nets.",
  })}`,
  // What names an article: the page's own address takes no part.
  identified: `<title>On knots</title>${meta({
    citation_doi: "10.1234/knots",
    citation_pdf_url: "https://j.example/pdf",
    citation_abstract_html_url: "https://j.example/abstract",
    citation_public_url: "https://j.example/public",
  })}<meta name="citation_title" content="On knots"><meta name="citation_author" content="Weaver, Ada"><meta name="citation_publication_date" content="${date}"><meta name="citation_volume" content="8"><meta name="citation_journal_title" content="J"><link rel="canonical" href="{{canonical:https://j.example/canonical}}">`,
  "dublin-core": `<title>On ropes</title>${meta({
    "DC.title": "On ropes",
    "DC.creator": "Weaver, Ada",
    "DC.identifier": "10.1234/ropes",
    "DC.date": "2026-01-02",
    "DC.language": "en",
    "DC.subject": "ropes",
    "DC.publisher": "Nets",
    "DC.rights": "https://creativecommons.org/licenses/by/4.0/",
    "DC.description": "On ropes.",
    "DC.source": "A journal",
    "prism.volume": "7",
    "prism.publicationName": "A journal",
    "prism.startingPage": "7",
  })}`,
  "open-graph": `<title>On hooks</title><meta name="citation_title" content="On hooks">${meta(
    {
      "og:title": "On hooks",
      "og:url": "https://j.example/og",
      "og:description": "Hooks",
      "og:site_name": "A journal",
    },
    "property",
  )}${usualMeta}`,
  "json-ld": `<title>On lines</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"ScholarlyArticle","headline":"{{headline:On lines}}","author":[{"@type":"Person","name":"{{author:Ada Weaver}}"}],"datePublished":"2026-01-02","url":"{{url:https://j.example/ld}}","sameAs":"{{sameAs:https://doi.org/10.1234/lines}}","description":"{{description:Lines}}","isPartOf":{"@type":"PublicationIssue","issueNumber":"{{issueNumber:2}}","isPartOf":{"@type":"PublicationVolume","volumeNumber":"{{volumeNumber:7}}","isPartOf":{"@type":"Periodical","name":"{{name:A journal}}","issn":"{{issn:2049-3630}}"}}}}</script>`,
  coins: `<title>On floats</title>${usualMeta}<span class="Z3988" title="ctx_ver=Z39.88-2004&amp;rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Ajournal&amp;rft.genre=article&amp;rft.atitle={{atitle:On floats}}&amp;rft.jtitle={{jtitle:A journal}}&amp;rft.au={{au:Weaver}}&amp;rft.date=2026&amp;rft.volume={{volume:7}}&amp;rft_id={{rft_id:https://j.example/coins}}"></span>`,
};

/** The pages of articles by path: of each vocabulary one as usual, and one for each field that has 450 KB there. */
export function hugePages(): { pages: Map<string, string>; usual: string[] } {
  const pages = new Map<string, string>();
  const usual: string[] = [];
  for (const [vocabulary, template] of Object.entries(templates)) {
    const path = `/${vocabulary}`;
    usual.push(path);
    pages.set(path, fill(template));
    // Else all would be the same article.
    for (const [field, page] of hugeVariants(template))
      pages.set(
        `${path}/${field}`,
        page.replaceAll("10.1234/", `10.1234/${field}-`).replaceAll("j.example/", `j.example/${field}/`),
      );
  }
  return { pages, usual };
}
