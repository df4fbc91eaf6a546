import { digest } from "../../core/digest.ts";

/**
 * Proposes a source for an address, to be reviewed and saved. The id is a slug of the title. The source delivers
 * nothing.
 */
export function proposeSource(
  url: string,
  { title, groupId }: { title: string | undefined; groupId: string },
) {
  const { hostname } = new URL(url);
  const slug = (title ?? hostname)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
  const mark = digest("source", url)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(0, 6);
  const sourceId = `${slug || "source"}-${mark}`;
  return { sourceId, title: title ?? hostname, url, groupId, deliveryMode: "NONE" as const };
}
