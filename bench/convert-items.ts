import type { ZoteroCreator, ZoteroItem } from "../shared/formats/zotero-item.ts";

/**
 * Twenty invented articles in the style of journal platforms: long and short ones, reviews, roman pages, Spanish names,
 * single-field names, markup in titles and abstracts, ORCID iDs and further abstracts in notes.
 */
export const sampleItems: readonly ZoteroItem[] = [
  article("On Bees", ["Ada|Miller"], { pages: "1-20", language: "en" }),
  article("Über die Geduld der Wespen", ["Jörg|Müller", "Käthe|Weiß"], { language: "de-DE", date: "2021" }),
  article("Les abeilles du <i>Chanoine</i> Rémi", ["Zoé|Lefèvre"], { language: "fr", date: "2021-05" }),
  article("Las abejas &amp; el monasterio", ["Juan Carlos|Pérez", "Ana|López"], { language: "es" }),
  article("Hive and Home: A Study in Two Parts", ["Richard|Roe", "Jane|Doe", "Max|Weber"], {
    pages: "vii–xii",
  }),
  article("Book Review: The Keeper of Bees", ["Ann|Lee"], { pages: "212-213", abstractNote: "" }),
  article("Book Review: Honig und Heil", ["|Max Weber"], { language: "de", abstractNote: "" }),
  article("Swarming as Metaphor", ["John F.|Smith Jr.", "Peter S.J.|Miller"], { date: "May 6, 2021" }),
  article("Wax, Light, Liturgy", ["Henry|Jones III"], { notes: orcids("Henry Jones III") }),
  article("Queens without a Court", ["Prof. Ada|Miller", "|Department of Bees"], { issue: "03" }),
  article("Editorial: Why Bees Again?", ["Jane|Doe"], { pages: "1-1", abstractNote: "", tags: [] }),
  article("Drones", ["Kai|Zhang", "Weihua|Guo", "De-Wei|Li", "Rafael F.|Castañeda-Ruiz"], { pages: "e55" }),
  article("Nectar in <sub>late</sub> Antiquity", ["Ludwig|van der Berg"], { date: "2021/05/06" }),
  article("The Apiary of Letters", ["Ada|Miller", "Ida|Miller"], {
    notes: abstracts("Das Bienenhaus der Briefe"),
  }),
  article("Das Summen der Welt&nbsp;&ndash; ein Versuch", ["Käthe|Weiß"], { language: "de", volume: "" }),
  article("Honey and Law", ["Jane|Doe"], {
    DOI: "https://doi.org/10.5555/bees.16",
    tags: [{ tag: "Open Access" }],
  }),
  article("Counting Hives", ["Ling|Qiu", "Xu-Gen|Shi"], { pages: "article 17", date: "06/05/2021" }),
  article("Pollen as Evidence", ["Eva|Müller"], { tags: keywords("Pollen", "Evidence", "Law", "Method") }),
  article("A Late Frost", ["Ada|Miller"], { notes: [...orcids("Ada Miller"), { note: "LF:" }], issue: "" }),
  article("Silence of the Hive", ["Jane|Doe", "Richard|Roe"], { abstractNote: sentences(30) }),
];

/** @param creators as "First|Last" */
function article(title: string, creators: string[], special: Partial<ZoteroItem>): ZoteroItem {
  const id = title.replace(/\W+/g, "-").toLowerCase();
  return {
    itemType: "journalArticle",
    title,
    creators: creators.map(creator),
    abstractNote: sentences(12),
    publicationTitle: "Journal of Bees",
    volume: "12",
    issue: "3",
    pages: "101-120",
    date: "2021-05-06",
    language: "en",
    DOI: `10.5555/${id}`,
    ISSN: "2049-3630",
    url: `https://journal.example.org/article/${id}`,
    tags: keywords("Bees", "History"),
    notes: [],
    libraryCatalog: "journal.example.org",
    accessDate: "2026-11-20T08:00:00Z",
    ...special,
  };
}

function creator(name: string): ZoteroCreator {
  const [firstName = "", lastName = ""] = name.split("|");
  return { creatorType: "author", firstName, lastName };
}

function keywords(...words: string[]): { tag: string; type: number }[] {
  return words.map((tag) => ({ tag, type: 1 }));
}

function orcids(name: string): { note: string }[] {
  return [{ note: `orcid:0000-0002-1825-0097 | ${name}` }];
}

function abstracts(title: string): { note: string }[] {
  return [{ note: `abs:${sentences(6)}` }, { note: `additional_title:${title}` }];
}

function sentences(count: number): string {
  return "The article asks how <em>bees</em> were kept &amp; seen in 14 houses along the river. ".repeat(
    count,
  );
}
