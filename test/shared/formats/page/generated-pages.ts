import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import type { PageTruth } from "./page-truth.ts";

/** A page that a site might serve, with what it says of its article. */
export interface GeneratedPage {
  structure: Structure;
  html: string;
  truth: PageTruth & { title: string };
}

/** The structures in which platforms state metadata. */
export const structures = ["highwire", "prism", "eprints", "dublin-core", "json-ld", "plain"] as const;
type Structure = (typeof structures)[number];

interface Article {
  title: string;
  authors: { first: string; last: string }[];
  body: string | undefined;
  year: number;
  month: number;
  day: number;
  volume: string;
  issue: string | undefined;
  firstPage: number;
  lastPage: number;
  journal: string;
  doi: string;
  abstract: string;
  isFree: boolean;
}

const firstNames = [
  "Jane",
  "Käthe",
  "Jean-Luc",
  "María José",
  "Søren",
  "Zoë",
  "John F.",
  "Ngozi",
  "İbrahim",
  "P. G.",
];
const lastNames = [
  "Müller",
  "van der Berg",
  "O’Brien",
  "García Márquez",
  "Smith-Jones",
  "de la Cruz",
  "Ó Néill",
  "Weiß",
  "Łukasz",
  "Li",
];
const bodies = [
  "World Health Organization",
  "Rat der EKD",
  "Church of England",
  "Conférence des évêques de France",
  "Max-Planck-Institut für Mooskunde",
];
const journals = [
  "Journal of Moss Studies",
  "Zeitschrift für Mooskunde",
  "Revue d’histoire des mousses",
  "Bryology & Society",
  "Annals of Bryology",
];
const words =
  "mosses grow slowly between stones of old churches where light is rare and water stays for weeks; their spores travel far with wind birds and pilgrims so that distant communities resemble each other more than expected from climate alone".split(
    " ",
  );
const months = "January February March April May June July August September October November December".split(
  " ",
);
const freeLicence = "https://creativecommons.org/licenses/by/4.0/";
const site =
  "The Bryological Press publishes peer-reviewed journals on mosses, lichens and liverworts since 1887.";

/** Generates pages, the same ones for the same seed. Each structure occurs equally often. */
export function generatePages(count: number, seed: number): GeneratedPage[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const structure = structures[index % structures.length] ?? "plain";
    const source = articleOf(random, index);
    const head = writers[structure](source, random);
    return { structure, html: pageOf(source, head, random), truth: truthOf(source) };
  });
}

type Random = () => number;
const pick = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value;
const chance = (share: number, random: Random) => random() < share;
const whole = (most: number, random: Random) => Math.floor(random() * most);

function sentence(random: Random): string {
  const text = Array.from({ length: 12 + whole(8, random) }, () => pick(words, random)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[;,]$/, "")}.`;
}

function articleOf(random: Random, index: number): Article {
  const firstPage = 1 + whole(400, random);
  const names = lastNames.toSorted(() => random() - 0.5);
  return {
    title: `${pick(["On", "Notes on", "Rethinking", "Über"], random)} ${pick(["moss & stone", "lichens", "„grüne“ Wände", "<i>Bryum</i> in walls"], random)} ${index}`,
    authors: names.slice(0, 1 + whole(4, random)).map((last) => ({ first: pick(firstNames, random), last })),
    body: chance(0.2, random) ? pick(bodies, random) : undefined,
    year: 1960 + whole(66, random),
    month: 1 + whole(12, random),
    day: 1 + whole(28, random),
    volume: String(1 + whole(120, random)),
    issue: chance(0.8, random) ? pick(["1", "2", "3–4", "12", "S1"], random) : undefined,
    firstPage,
    lastPage: firstPage + 1 + whole(30, random),
    journal: pick(journals, random),
    doi: `10.5555/moss.${index}.${whole(9999, random)}`,
    abstract: Array.from({ length: 3 + whole(3, random) }, () => sentence(random)).join(" "),
    isFree: chance(0.4, random),
  };
}

function truthOf(article: Article): GeneratedPage["truth"] {
  const { authors, body, year, volume, issue, firstPage, lastPage, journal, doi, abstract, isFree } = article;
  const persons = authors.map(({ first, last }) => `${last}, ${first}`);
  return {
    title: article.title.replace(/<[^>]+>/g, ""),
    creators: [...persons, ...(body === undefined ? [] : [body])].join("; "),
    year: String(year),
    volume,
    ...(issue !== undefined && { issue }),
    pages: `${firstPage}-${lastPage}`,
    journal,
    doi,
    abstract: [abstract.slice(0, 60), abstract.slice(-60)],
    ...(isFree && { isFree: true }),
  };
}

/** Escapes a text as pages do: by numbers, by names, or twice. */
function escaped(text: string, random: Random): string {
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  if (chance(0.2, random))
    return plain.replaceAll("ü", "&uuml;").replaceAll("é", "&eacute;").replaceAll("’", "&rsquo;");
  if (chance(0.2, random)) return plain.replace(/[^ -~]/g, (character) => `&#${character.codePointAt(0)};`);
  return plain;
}

type Tags = [name: string, value: string | undefined][];

/** Writes meta tags. Sites write their names in any case, and some add the tags of the works that the article cites. */
function metas(tags: Tags, random: Random): string {
  const recase = pick(
    [(name: string) => name, (name: string) => name.toUpperCase(), (name: string) => name],
    random,
  );
  const attribute = chance(0.2, random) ? "property" : "name";
  return tags
    .flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`<meta ${attribute}="${recase(name)}" content="${escaped(value, random)}">`],
    )
    .join("\n");
}

/**
 * Names in the order of catalogues or, where the words of the surname are clear, in that of speech; sometimes in
 * capitals, where they can be told again.
 */
function namesOf({ authors, body }: Article, random: Random): string[] {
  const areSimple = authors.every(({ first, last }) => !/[ ßİ]/.test(last) && !first.includes("İ"));
  const isInverted = !areSimple || chance(0.5, random);
  const recase =
    areSimple && chance(0.2, random) ? (name: string) => name.toUpperCase() : (name: string) => name;
  const persons = authors.map(({ first, last }) =>
    recase(isInverted ? `${last}, ${first}` : `${first} ${last}`),
  );
  return [...persons, ...(body === undefined ? [] : [body])];
}

function dateOf({ year, month, day }: Article, random: Random): string {
  const [m, d] = [month, day].map((part) => String(part).padStart(2, "0"));
  return pick(
    [
      `${year}-${m}-${d}`,
      `${year}/${m}/${d}`,
      `${year}/${m}/00`,
      `${year}`,
      `${day} ${months[month - 1]} ${year}`,
      `${months[month - 1]} ${year}`,
      `Spring ${year}`,
    ],
    random,
  );
}

const pagesOf = ({ firstPage, lastPage }: Article) => `${firstPage}-${lastPage}`;

/** The heads of pages, by structure. Fields that a structure cannot state are in the body. */
const writers: Record<Structure, (article: Article, random: Random) => string> = {
  highwire: (article, random) =>
    metas(
      [
        ["citation_title", article.title],
        ...namesOf(article, random).map((name): [string, string] => ["citation_author", name]),
        [
          pick(["citation_publication_date", "citation_date", "citation_cover_date"], random),
          dateOf(article, random),
        ],
        ["citation_online_date", chance(0.5, random) ? `${article.year + 1}/01/15` : undefined],
        ["citation_journal_title", article.journal],
        ["citation_publisher", "The Bryological Press"],
        ["citation_volume", article.volume],
        ["citation_issue", article.issue],
        ["citation_firstpage", String(article.firstPage)],
        ["citation_lastpage", String(article.lastPage)],
        ["citation_doi", pick([article.doi, `doi:${article.doi}`, `https://doi.org/${article.doi}`], random)],
        ["citation_reference", `citation_title=Another work; citation_doi=10.5555/other; citation_year=1901`],
        ["DC.rights", article.isFree ? freeLicence : "© The authors. All rights reserved."],
      ],
      random,
    ),
  prism: (article, random) =>
    metas(
      [
        ["dc.title", article.title],
        ...namesOf(article, random).map((name): [string, string] => ["dc.creator", name]),
        ["prism.publicationName", article.journal],
        ["prism.volume", article.volume],
        [pick(["prism.number", "prism.issueIdentifier"], random), article.issue],
        ["prism.startingPage", String(article.firstPage)],
        ["prism.endingPage", String(article.lastPage)],
        [pick(["prism.publicationDate", "prism.coverDate"], random), dateOf(article, random)],
        ["prism.doi", article.doi],
        ["dc.rights", article.isFree ? `Licensed under ${freeLicence}` : undefined],
      ],
      random,
    ),
  eprints: (article, random) =>
    metas(
      [
        ["eprints.type", "article"],
        ["eprints.title", article.title],
        ...namesOf(article, random).map((name): [string, string] => ["eprints.creators_name", name]),
        ["eprints.date", dateOf(article, random)],
        ["eprints.datestamp", "2026-11-20 10:00:00"],
        ["eprints.publication", article.journal],
        ["eprints.volume", article.volume],
        ["eprints.number", article.issue],
        ["eprints.pagerange", pagesOf(article)],
        [pick(["eprints.id_number", "eprints.doi"], random), article.doi],
        ["eprints.abstract", article.abstract],
        ["DC.rights", article.isFree ? "cc_by_4" : undefined],
      ],
      random,
    ),
  "dublin-core": (article, random) =>
    metas(
      [
        ["DC.Title", article.title],
        ...namesOf(article, random).map((name): [string, string] => ["DC.Creator.PersonalName", name]),
        ["DC.Type", "Text.Serial.Journal"],
        ["DC.Source", article.journal],
        ["DC.Source.Volume", article.volume],
        ["DC.Source.Issue", article.issue],
        ["DC.Date.issued", dateOf(article, random)],
        ["DC.Date.dateSubmitted", "2026-11-20"],
        ["DC.Identifier.pageNumber", pagesOf(article)],
        ["DC.Identifier.DOI", article.doi],
        ["DC.Description", article.abstract],
        ["DC.Rights", article.isFree ? freeLicence : "Copyright (c) the authors"],
      ],
      random,
    ),
  "json-ld": (article, random) => {
    const periodical = { "@type": "Periodical", name: article.journal, issn: "2049-3630" };
    const volume = { "@type": "PublicationVolume", volumeNumber: article.volume, isPartOf: periodical };
    const node = {
      "@context": "https://schema.org",
      "@type": "ScholarlyArticle",
      name: article.title.replace(/<[^>]+>/g, ""),
      author: [
        ...article.authors.map(({ first, last }) =>
          last.includes(" ") || chance(0.5, random)
            ? { "@type": "Person", givenName: first, familyName: last }
            : { "@type": "Person", name: `${first} ${last}` },
        ),
        ...(article.body === undefined ? [] : [{ "@type": "Organization", name: article.body }]),
      ],
      datePublished: `${article.year}-${String(article.month).padStart(2, "0")}`,
      dateModified: "2026-11-20",
      isPartOf:
        article.issue === undefined
          ? volume
          : { "@type": "PublicationIssue", issueNumber: article.issue, isPartOf: volume },
      pageStart: article.firstPage,
      pageEnd: String(article.lastPage),
      sameAs: `https://doi.org/${article.doi}`,
      abstract: article.abstract,
      publisher: { "@type": "Organization", name: "The Bryological Press" },
      ...(article.isFree && { license: freeLicence }),
    };
    const nodes = chance(0.5, random)
      ? {
          "@context": "https://schema.org",
          "@graph": [{ "@type": "WebSite", name: "Moss Online", description: site }, node],
        }
      : node;
    return `<script type="application/ld+json">${JSON.stringify(nodes).replaceAll("</", "<\\/")}</script>`;
  },
  plain: (article, random) =>
    metas(
      [
        ["citation_title", article.title],
        ["citation_authors", namesOf(article, random).join("; ")],
      ],
      random,
    ),
};

/** Puts a head into a page with the furniture of a site: its description, its footer, other articles, and a feed. */
function pageOf(article: Article, head: string, random: Random): string {
  const { abstract, title } = article;
  const description = pick([site, `${abstract.slice(0, 150)}…`, `${abstract.slice(0, 157)}`], random);
  const isPlain = !head.includes("_volume") && !/volume/i.test(head);
  const labelled = pick(
    [
      (name: string, value: string) => `<p><b>${name}:</b> ${value}</p>`,
      (name: string, value: string) => `<p><strong>${name}</strong>: ${value}</p>`,
      (name: string, value: string) => `<dl><dt>${name}</dt><dd>${value}</dd></dl>`,
    ],
    random,
  );
  const facts = [
    labelled("Volume", article.volume),
    article.issue === undefined ? "" : labelled("Issue", article.issue),
    labelled("Pages", `${article.firstPage}–${article.lastPage}`),
    labelled("Year", String(article.year)),
    labelled("DOI", `<a href="https://doi.org/${article.doi}">${article.doi}</a>`),
    labelled("Journal", escaped(article.journal, random)),
    article.isFree
      ? `<p>This article is licensed under a <a rel="license" href="${freeLicence}">CC BY licence</a>.</p>`
      : "",
  ].join("\n");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>${escaped(title.replace(/<[^>]+>/g, ""), random)} | Moss Online</title>
<meta name="description" content="${escaped(description, random)}">
<meta property="og:description" content="${escaped(chance(0.5, random) ? site : description, random)}">
<meta property="og:site_name" content="Moss Online">
<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="Latest articles 2026">
${head}
</head><body>
<header><a href="/">Moss Online</a> <span>${site}</span></header>
<main><h1>${title.replaceAll("&", "&amp;")}</h1>
${isPlain ? facts : ""}
<section class="abstract" id="abstract"><h2>Abstract</h2><p>${escaped(abstract, random)}</p></section></main>
<aside><h3>Related articles</h3><p><a href="https://doi.org/10.5555/related.1">Another article</a>, Volume 7, Issue 9, pp. 1–2, 2025</p></aside>
<footer>© 2026 The Bryological Press. ${chance(0.5, random) ? `<a href="https://creativecommons.org/licenses/by-nc/4.0/"><img src="/cc.png" alt="CC BY-NC"></a> Except where otherwise noted, content on this site is licensed under Creative Commons.` : ""}</footer>
</body></html>`;
}
