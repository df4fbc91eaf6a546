/** The metadata format of a page. */
type Vocabulary = "highwire" | "dublin-core" | "json-ld";

export interface Journal {
  title: string;
  subtitle: string;
  issn: string;
  /** The volume and issue of its articles; absent before they are assigned to an issue. */
  volume?: string;
  issue?: string;
  publisher: string;
  licenceUrl: string;
}

export interface Article {
  slug: string;
  /** Default: the demo journal. */
  journal?: Journal;
  /** Absent when the publisher omitted it. */
  title?: string;
  authors: Author[];
  /** The publication date (ISO 8601). */
  published: string;
  language: "en" | "de";
  /** The DOI, without the resolver's URL. */
  doi: string;
  /** The first and last page. An article without pages has an article number instead. */
  pages?: [first: string, last: string];
  articleNumber?: string;
  abstract: string;
  keywords: string[];
  /** The metadata formats of the page. Empty if there is no page. */
  vocabularies: Vocabulary[];
  /** The kind of response, unless it is an immediate 200. */
  answer?: "slow" | "not-found";
}

interface Author {
  given: string;
  family: string;
  orcid?: string;
}

/** The ISSN and the ORCID iD below are invented, from the end of their ranges. Their check digits are valid. */
export const journal: Journal = {
  title: "Lantern & Lathe",
  subtitle: "Journal of Imaginary Crafts",
  issn: "9999-0172",
  volume: "7",
  issue: "3",
  publisher: "The Guild of Improbable Makers",
  licenceUrl: "https://creativecommons.org/licenses/by/4.0/",
};

/** One issue: ten harvestable articles, one of them slow; one without a title; one whose page is missing. */
export const articles: Article[] = [
  {
    slug: "things-that-nearly-work",
    title: "Editorial: In Praise of Things That Nearly Work",
    authors: [{ given: "Wilhelmina", family: "Thackwell" }],
    published: "2026-09-01",
    language: "en",
    doi: "10.5555/lantern.7.3.00",
    pages: ["i", "iv"],
    abstract:
      "A tool that works is soon forgotten, while a tool that nearly works keeps its owner thinking for life. " +
      "The editor opens the autumn issue with a stuck drawer, and explains why she has stopped repairing it.",
    keywords: ["editorials", "drawers", "patience"],
    vocabularies: ["highwire"],
  },
  {
    slug: "how-to-knit-a-ladder",
    title: "How to Knit a Ladder: Load-Bearing Garments of the Upper Valleys",
    authors: [
      { given: "Perpetua", family: "Quillfeather" },
      { given: "Ansgar", family: "Dunnock" },
      { given: "Ilse", family: "Brambleton" },
    ],
    published: "2026-09-01",
    language: "en",
    doi: "10.5555/lantern.7.3.01",
    pages: ["1", "14"],
    abstract:
      "In the upper valleys a ladder is worn to work and unbuttoned at the foot of the tree. " +
      "We tested nine patterns with apples, pears and one uncle. " +
      "Moss stitch carried the most, and cable stitch was the only one to forgive a dropped rung.",
    keywords: ["knitting", "ladders", "load tests"],
    vocabularies: ["highwire"],
  },
  {
    slug: "tuning-wind-up-clouds",
    title: "A Tuning Method for Wind-Up Clouds",
    authors: [
      { given: "Cosima", family: "Velloway", orcid: "0009-9999-0000-4175" },
      { given: "Barnaby", family: "Ostrick" },
    ],
    published: "2026-09-08",
    language: "en",
    doi: "10.5555/lantern.7.3.02",
    pages: ["15", "28"],
    abstract:
      "Wind-up clouds drift flat after some forty rains, and most owners blame the spring. " +
      "We show that the fault lies in the hem, and describe a tuning that needs a kettle, a fork and a calm afternoon.",
    keywords: ["clouds", "clockwork", "tuning"],
    vocabularies: ["json-ld"],
  },
  {
    slug: "left-handed-teapot",
    title: "The Left-Handed Teapot and Its Enemies",
    authors: [{ given: "Fennimore", family: "Ashgrove" }],
    published: "2026-09-08",
    language: "en",
    doi: "10.5555/lantern.7.3.03",
    pages: ["29", "41"],
    abstract:
      "For three centuries the left-handed teapot was poured with suspicion. " +
      "Drawing on kitchen diaries and stained tablecloths, this essay follows its makers into exile, " +
      "and asks what the right hand was afraid of.",
    keywords: ["teapots", "handedness", "history of crafts"],
    vocabularies: ["dublin-core"],
  },
  {
    slug: "nebel-falten",
    title: "Über das Falten von Nebel entlang gerader Linien",
    authors: [
      { given: "Gundula", family: "Mährenfels" },
      { given: "Tjark", family: "Osterwiek" },
    ],
    published: "2026-09-15",
    language: "de",
    doi: "10.5555/lantern.7.3.04",
    pages: ["42", "55"],
    abstract:
      "Nebel lässt sich falten, aber nur vor dem Frühstück. " +
      "Der Beitrag vergleicht drei Werkzeuge, das Lineal, den Gartenzaun und den Blick geradeaus, " +
      "und zeigt, dass die Kante länger hält, wenn dabei niemand spricht.",
    keywords: ["Nebel", "Falttechnik", "Morgenstunden"],
    vocabularies: ["dublin-core"],
  },
  {
    slug: "bottomless-bucket",
    title: "Seventeen Uses for a Bottomless Bucket",
    authors: [
      { given: "Marigold", family: "Pettibrook" },
      { given: "Lucius", family: "Farthingale" },
    ],
    published: "2026-09-15",
    language: "en",
    doi: "10.5555/lantern.7.3.05",
    articleNumber: "17",
    abstract:
      "A bucket without a bottom is commonly thrown away, though never very far. " +
      "We collected seventeen uses from households on both sides of the river; carrying water is the ninth.",
    keywords: ["buckets", "thrift", "household surveys"],
    vocabularies: ["json-ld"],
  },
  {
    slug: "slow-glue",
    title: "Slow Glue: First Results of a Forty-Year Drying Study",
    authors: [
      { given: "Hephzibah", family: "Lorne" },
      { given: "Otis", family: "Candlewick" },
    ],
    published: "2026-09-22",
    language: "en",
    doi: "10.5555/lantern.7.3.06",
    pages: ["56", "60"],
    abstract:
      "Two boards were joined in the spring of the founding year and have been watched by turns ever since. " +
      "After four decades the glue is tacky. The authors ask for time.",
    keywords: ["adhesives", "long-term studies", "waiting"],
    vocabularies: ["highwire"],
    answer: "slow",
  },
  {
    slug: "bookbinding-for-whales",
    title: "Bookbinding for Whales",
    authors: [
      { given: "Tamsin", family: "Gullhaven" },
      { given: "Rafferty", family: "Deepdale" },
    ],
    published: "2026-09-22",
    language: "en",
    doi: "10.5555/lantern.7.3.07",
    pages: ["61", "78"],
    abstract:
      "Paper fails at depth, and so do most reading lamps. " +
      "We bound six volumes in kelp and lent them out for a season; " +
      "all came back late, and two had been annotated at length.",
    keywords: ["bookbinding", "whales", "interlibrary loan"],
    vocabularies: ["dublin-core"],
  },
  {
    slug: "measuring-silence",
    title: "Measuring Silence with a Second-Hand Ruler",
    authors: [
      { given: "Eulalia", family: "Stillwater" },
      { given: "Corentin", family: "Hush" },
    ],
    published: "2026-09-29",
    language: "en",
    doi: "10.5555/lantern.7.3.08",
    pages: ["79", "90"],
    abstract:
      "New rulers are too loud for the purpose. " +
      "With a worn one of pear wood we measured the silence in eleven reading rooms, " +
      "and found it longest on Tuesdays, just under the window.",
    keywords: ["silence", "measurement", "reading rooms"],
    vocabularies: ["highwire", "dublin-core", "json-ld"],
  },
  {
    slug: "lighthouse-keys",
    title: "Lighthouse Keys and the Locks They Never Met",
    authors: [{ given: "Jocasta", family: "Merrow" }],
    published: "2026-10-06",
    language: "en",
    doi: "10.5555/lantern.7.3.09",
    pages: ["91", "102"],
    abstract:
      "Of the two hundred keys in the harbour museum, not one opens a lighthouse. " +
      "This catalogue describes them by weight, bow and regret, and proposes a lock for each.",
    keywords: ["keys", "lighthouses", "museum catalogues"],
    vocabularies: ["json-ld"],
  },
  {
    slug: "note-from-the-workshop",
    authors: [{ given: "Ambrose", family: "Tickle" }],
    published: "2026-10-06",
    language: "en",
    doi: "10.5555/lantern.7.3.10",
    pages: ["103", "104"],
    abstract:
      "A short note from the workshop on the naming of new tools. " +
      "Its author holds that a tool should be used for a year before it is called anything, and extends this to notes.",
    keywords: ["naming", "tools"],
    vocabularies: ["highwire"],
  },
  {
    slug: "unfinished-stairs",
    title: "A Visitor's Guide to the Museum of Unfinished Stairs",
    authors: [{ given: "Lavinia", family: "Halfstep" }],
    published: "2026-10-13",
    language: "en",
    doi: "10.5555/lantern.7.3.11",
    pages: ["105", "112"],
    abstract: "The tour begins on the ground floor, and so far it ends there too.",
    keywords: ["stairs", "museums"],
    vocabularies: [],
    answer: "not-found",
  },
];

/** The path of an article's page. */
export function articlePath({ slug }: Article): string {
  return `/article/${slug}`;
}
