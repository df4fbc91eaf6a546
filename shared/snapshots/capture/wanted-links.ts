import { bodyOfCapture } from "../../web/exchange/captured-body.ts";
import type { CapturedAnswer } from "./capture-outcome.ts";
import { discoverLinks, mayHaveLinks } from "./discover-links.ts";
import type { UnreadLinks } from "./discovered-link.ts";
import type { Scope } from "./scope.ts";
import type { WantedUrl } from "./wanted-url.ts";

/** The size of the beginning of a resource from which links are read. */
const maxLinkBytes = 8 * 1024 * 1024;

/**
 * Returns the links of a response that the capture wants.
 * @param given.start returns the first bytes of the stored response with a key
 */
export async function wantedLinks(
  { url, hops }: WantedUrl,
  { headers, contentType, key, sizeBytes }: CapturedAnswer,
  given: { scope: Scope; start: (key: string, maxBytes: number) => Promise<Uint8Array> },
): Promise<{ wanted: WantedUrl[]; unread: UnreadLinks }> {
  const hasLinks = mayHaveLinks(contentType);
  const body = hasLinks ? await bodyOfCapture(await given.start(key, maxLinkBytes)) : new Uint8Array();
  const { links, dropped } = discoverLinks({ url, headers, body });
  const wanted = links.flatMap((link) => {
    const path = given.scope.pathTo(link, hops);
    return path === undefined ? [] : [{ url: link.url, hops: path, via: url }];
  });
  return { wanted, unread: { dropped, isCut: hasLinks && sizeBytes > maxLinkBytes } };
}
