/**
 * Compares reading a feed of 1 MB with a bare loop of the same parser over the same text: `npx node bench/feeds.ts`. Rounds
 * alternate, so that both run under the same load.
 */
import { SaxesParser } from "saxes";
import { parseFeed } from "../shared/formats/feed/parse-feed.ts";

const rounds = 40;
const feed = new TextEncoder().encode(journalFeed(1_000_000));
const damaged = new TextEncoder().encode(journalFeed(1_000_000).replace("Vol. 1 &amp; 2", "Vol. 1 & 2"));

const contestants: Record<string, () => number> = {
  "bare saxes loop": () => parseOnly(feed),
  "readFeed, strict": () => entriesOf(feed),
  "readFeed, lenient": () => entriesOf(damaged),
};
const elapsedMs = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));

for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(contestants)) {
    const started = performance.now();
    if (run() === 0) throw new Error(`${name} found nothing`);
    elapsedMs.get(name)?.push(performance.now() - started);
  }
}

const bareMs = median(elapsedMs.get("bare saxes loop") ?? []);
console.log(`${(feed.length / 1e6).toFixed(2)} MB, ${entriesOf(feed)} entries, median of ${rounds} rounds`);
for (const [name, times] of elapsedMs) {
  console.log(
    `${name.padEnd(18)} ${median(times).toFixed(1).padStart(6)} ms  ${(median(times) / bareMs).toFixed(2)}×`,
  );
}

function entriesOf(bytes: Uint8Array): number {
  const reading = parseFeed(bytes, { url: "https://journal.example.org/feed" });
  return reading.type === "feed" ? reading.entries.length : 0;
}

function parseOnly(bytes: Uint8Array): number {
  let tags = 0;
  const parser = new SaxesParser();
  parser.on("opentag", () => {
    tags++;
  });
  parser.on("text", () => {});
  parser.write(new TextDecoder().decode(bytes)).close();
  return tags;
}

/** RSS 1.0 with Dublin Core, PRISM and abstracts, in the style of journal platforms. */
function journalFeed(sizeBytes: number): string {
  const sentence = "Populations of the species were sampled at 14 sites along the river. ";
  const abstract = `&lt;p&gt;&lt;em&gt;Hydrophilus acuminatus&lt;/em&gt; is redescribed. ${sentence.repeat(16)}&lt;/p&gt;`;
  const items: string[] = [];
  for (let length = 0, number = 1; length < sizeBytes; number++) {
    const url = `https://journal.example.org/article/view/${number}`;
    const item = `<item rdf:about="${url}"><title>Vol. ${number} &amp; ${number + 1}: on Gastrop&#243;da</title>
<link>${url}</link><description>${abstract}</description>
<dc:creator>Müller, Ada</dc:creator><dc:creator>Castañeda-Ruiz, R. F.</dc:creator><dc:date>2021-11-23</dc:date>
<prism:volume>525</prism:volume><prism:number>4</prism:number><prism:startingPage>${number}</prism:startingPage>
<prism:endingPage>${number + 9}</prism:endingPage><prism:doi>10.5555/journal.${number}</prism:doi></item>
`;
    items.push(item);
    length += item.length;
  }
  return `<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">
<channel rdf:about="https://journal.example.org/"><title>Journal</title></channel>
${items.join("")}</rdf:RDF>`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
