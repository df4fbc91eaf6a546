import { hugeVariants } from "./variants.ts";

const templates: Record<string, [type: string, template: string]> = {
  ris: [
    "application/x-research-info-systems",
    "TY  - JOUR\nTI  - {{title:On words}}\nAU  - {{author:Weaver, Ada}}\nJO  - {{journal:A journal}}\nVL  - {{volume:7}}\nIS  - {{issue:2}}\nSP  - {{page:1}}\nPY  - {{year:2026}}\nDA  - {{date:2026/01/02}}\nSN  - {{issn:2049-3630}}\nDO  - {{doi:10.1234/}}\nUR  - {{url:https://r.example/}}\nKW  - {{keyword:words}}\nAB  - {{abstract:On words.}}\nLA  - {{language:en}}\nER  - \n",
  ],
  bibtex: [
    "application/x-bibtex",
    "@article{{{key:words}},\n title = {{{title:On words}}},\n author = {{{author:Weaver, Ada}}},\n journal = {{{journal:A journal}}},\n volume = {{{volume:7}}},\n number = {{{number:2}}},\n year = {{{year:2026}}},\n doi = {{{doi:10.1234/}}},\n url = {{{url:https://r.example/}}},\n keywords = {{{keywords:words}}},\n abstract = {{{abstract:On words.}}}\n}\n",
  ],
  mods: [
    "application/mods+xml",
    '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>{{title:On words}}</title></titleInfo><name type="personal"><namePart>{{name:Weaver, Ada}}</namePart><role><roleTerm>{{role:author}}</roleTerm></role></name><genre>{{genre:article}}</genre><originInfo><dateIssued>{{date:2026-01-02}}</dateIssued></originInfo><language><languageTerm>{{language:eng}}</languageTerm></language><abstract>{{abstract:On words.}}</abstract><subject><topic>{{topic:words}}</topic></subject><identifier type="doi">{{doi:10.1234/}}</identifier><identifier type="uri">{{uri:https://r.example/}}</identifier><relatedItem type="host"><titleInfo><title>{{host:A journal}}</title></titleInfo><part><detail type="volume"><number>{{volume:7}}</number></detail></part></relatedItem></mods>',
  ],
};

/** Pages of articles, and the records that they link to and need, by path. */
export function hugeRecords(): {
  pages: Map<string, string>;
  records: Map<string, [type: string, text: string]>;
} {
  const pages = new Map<string, string>();
  const records = new Map<string, [string, string]>();
  for (const [format, [type, template]] of Object.entries(templates)) {
    for (const [field, text] of hugeVariants(template)) {
      const path = `/${format}/${field}`;
      const place = (address: string) => `${address}${format}-${field}-`;
      records.set(path, [type, text.replace("10.1234/", place).replace("https://r.example/", place)]);
      const title = '<title>On words</title><meta name="citation_title" content="On words">';
      pages.set(path, `${title}<link rel="alternate" type="${type}" href="/records${path}">`);
    }
  }
  return { pages, records };
}
