import type { ArticleMetadata } from "../../article-metadata.ts";
import type { PageParts } from "../page-parts.ts";
import { atypon } from "./atypon.ts";
import { elife } from "./elife.ts";
import { iopScience } from "./iop-science.ts";
import { ojs } from "./ojs.ts";
import { collectPassages } from "./passages.ts";
import type { Platform } from "./platform.ts";
import { scienceDirect } from "./science-direct.ts";
import { aclAnthology, aps, rsc } from "./society-sites.ts";
import { readUnknownSite } from "./unknown-site.ts";

const platforms: readonly Platform[] = [
  scienceDirect,
  elife,
  iopScience,
  ojs,
  aps,
  rsc,
  aclAnthology,
  atypon,
];

/** Meta tags that contain the URL of the page itself. */
const ownUrls = /^(?:og:url|citation_(?:public|(?:abstract|fulltext)_html)_url)$/;

/**
 * Reads the visible data of a page: by its platform or, if that is not known, by labels and sections. A proxy delivers the page under another host, so the hosts
 * of the URLs that the page states as its own are also compared.
 */
export function readPlatform(
  page: string,
  { url, metas, links }: { url: string } & Pick<PageParts, "metas" | "links">,
): ArticleMetadata | undefined {
  const stated = [
    ...links.filter(({ rel }) => rel.includes("canonical")).map((link) => link.url),
    ...metas.filter(({ name }) => ownUrls.test(name)).map(({ content }) => content),
  ];
  const hosts = [url, ...stated].flatMap((each) => URL.parse(each)?.hostname ?? []);
  const platform = platforms.find((one) => one.isMadeBy({ hosts, metas }));
  return platform === undefined
    ? readUnknownSite(page, metas)
    : platform.read(collectPassages(page, platform.passages));
}
