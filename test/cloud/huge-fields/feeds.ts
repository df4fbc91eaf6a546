import { fill, hugeVariants } from "./variants.ts";

interface FeedTemplate {
  type: string;
  /** `ITEMS` stands for them. */
  head: string;
  separator?: string;
  /** `ADDRESS` is that of the article. */
  item: string;
  /** Without an address. */
  nameless: string;
}

const templates: Record<string, FeedTemplate> = {
  rss: {
    type: "application/rss+xml",
    head: `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"><channel><title>{{channel-title:A journal}}</title><link>{{channel-link:https://j.example/}}</link><prism:publicationName>{{channel-name:A journal}}</prism:publicationName><prism:issn>{{channel-issn:2049-3630}}</prism:issn>ITEMS</channel></rss>`,
    item: `<item><title>{{title:On nets}}</title><link>ADDRESS</link><guid isPermaLink="false">{{guid:urn#}}ADDRESS</guid><pubDate>{{pubDate:Fri, 02 Jan 2026 00:00:00 GMT}}</pubDate><dc:creator>{{creator:Weaver, Ada}}</dc:creator><dc:identifier>{{identifier:10.1234/}}ADDRESS</dc:identifier><dc:language>{{language:en}}</dc:language><prism:volume>{{volume:7}}</prism:volume><prism:number>{{number:2}}</prism:number><prism:startingPage>{{page:1}}</prism:startingPage><prism:publicationName>{{name:A journal}}</prism:publicationName><category>{{category:nets}}</category><description>{{description:On nets}}</description></item>`,
    nameless:
      "<item><title>{{title-alone:On nets}}</title><guid isPermaLink='false'>{{guid-alone:urn#}}</guid></item><item><link>{{link:https://j.example/}}</link></item>",
  },
  atom: {
    type: "application/atom+xml",
    head: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>{{feed-title:A journal}}</title><id>{{feed-id:urn#}}</id>ITEMS</feed>`,
    item: `<entry><title>{{title:On nets}}</title><link href="ADDRESS"/><id>{{id:urn#}}ADDRESS</id><updated>{{updated:2026-01-02T00:00:00Z}}</updated><author><name>{{author:Weaver, Ada}}</name></author><category term="{{term:nets}}"/><summary>{{summary:On nets}}</summary></entry>`,
    nameless:
      "<entry><title>{{title-alone:On nets}}</title><id>{{id-alone:urn#}}</id></entry><entry><title>x</title><link href='{{link:https://j.example/}}'/></entry>",
  },
  json: {
    type: "application/feed+json",
    head: `{"version":"https://jsonfeed.org/version/1.1","title":"{{feed-title:A journal}}","items":[ITEMS]}`,
    separator: ",",
    item: `{"id":"{{id:urn#}}ADDRESS","url":"ADDRESS","title":"{{title:On nets}}","date_published":"{{date:2026-01-02T00:00:00Z}}","authors":[{"name":"{{author:Weaver, Ada}}"}],"tags":["{{tag:nets}}"],"language":"{{language:en}}"}`,
    nameless: `{"id":"{{id-alone:urn#}}","title":"{{title-alone:On nets}}"},{"id":"1","url":"{{link:https://j.example/}}"}`,
  },
};

/** A feed: its type, its text, and the paths of the articles in it. */
export interface HugeFeed {
  type: string;
  body: string;
  articles: string[];
}

/**
 * Feeds by path: one whose items have 450 KB in one field each, beside one as usual; and feeds with 450 KB in a field of
 * their own.
 */
export function hugeFeeds(origin: string): Map<string, HugeFeed> {
  const feeds = new Map<string, HugeFeed>();
  for (const [format, { type, head, item, nameless, separator = "" }] of Object.entries(templates)) {
    const articles: string[] = [];
    const place = (text: string, field: string) => {
      const path = `/article/${format}/${field}`;
      articles.push(path);
      return text.replaceAll("ADDRESS", origin + path);
    };
    const items = [
      ...[...hugeVariants(item)].map(([field, text]) => place(text, field)),
      ...hugeVariants(nameless).values(),
      place(fill(item), "usual"),
    ];
    feeds.set(`/feeds/${format}`, {
      type,
      body: fill(head).replace("ITEMS", () => items.join(separator)),
      articles,
    });
    for (const [field, text] of hugeVariants(head)) {
      const path = `/article/${format}/${field}`;
      const own = fill(item).replaceAll("ADDRESS", origin + path);
      feeds.set(`/feeds/${format}/${field}`, {
        type,
        body: text.replace("ITEMS", () => own),
        articles: [path],
      });
    }
  }
  return feeds;
}
