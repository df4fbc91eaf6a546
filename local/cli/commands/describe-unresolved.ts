import { pluralize } from "../../../shared/core/pluralize.ts";
import { isoTimeOf } from "../../../shared/snapshots/warc/timestamp.ts";
import type { UnresolvedCapture } from "../snapshots/wacz/pack-captures.ts";
import { printable } from "./printable.ts";

/** The maximum number of captures that are described. */
const mostLines = 20;

/**
 * Describes where the missing content of captures is: one line per capture with its date, URL and file.
 * @returns an empty string if no capture is unresolved
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
    `the content of ${pluralize(unresolved.length, "capture")} is in captures that were not named:`,
    ...lines,
    ...(more > 0 ? [`  and of ${more} more`] : []),
    "",
  ].join("\n");
}
