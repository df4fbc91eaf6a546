import { pluralize } from "../../../shared/core/pluralize.ts";
import { isoTimeOf } from "../../../shared/snapshots/warc/timestamp.ts";
import type { UnresolvedCapture } from "../snapshots/wacz/pack-captures.ts";
import { printable } from "./printable.ts";

/** The number of captures that are described. */
const mostLines = 20;

/**
 * Says of captures whose content is not packed where it is: the date, URL and file of each, a line each; empty without
 * any.
 */
export function describeUnresolved(unresolved: readonly UnresolvedCapture[]): string {
  if (unresolved.length === 0) return "";
  const lines = unresolved.slice(0, mostLines).map(({ url, original, place }) => {
    const date = original && isoTimeOf(original.timestamp);
    const of = original === undefined ? "" : ` captured at ${date} from ${original.url}`;
    const file = place === undefined ? "" : `, in ${place.file} at ${place.offset}`;
    return printable(`  ${url}: content${of}${file}`);
  });
  const more = unresolved.length - lines.length;
  return [
    `the content of ${pluralize(unresolved.length, "capture")} is in captures that are not packed:`,
    ...lines,
    ...(more > 0 ? [`  and of ${more} more`] : []),
    "",
  ].join("\n");
}
