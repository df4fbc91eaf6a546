import { printable } from "../../printable.ts";
import type { FilePlace, LinkOutput, ReportedLink } from "./link-output.ts";

/**
 * An annotation for each place of a link that is not alive.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export class GitHubOutput implements LinkOutput {
  add(link: ReportedLink): string {
    if (link.verdict === "alive") return "";
    const places = link.places.length > 0 ? link.places : [undefined];
    return places.map((place) => annotation(link, place)).join("");
  }

  finish(): string {
    return "";
  }
}

function annotation({ verdict, url, reason }: ReportedLink, place: FilePlace | undefined): string {
  const level = verdict === "broken" ? "error" : "warning";
  const title = verdict === "broken" ? "Broken link" : "Inconclusive link";
  const where =
    place === undefined ? "" : `file=${escapeProperty(place.file)},line=${place.line},col=${place.column},`;
  const record = place?.record === undefined ? "" : ` (record ${place.record})`;
  return `::${level} ${where}title=${title}::${escapeMessage(`${url}: ${reason}${record}`)}\n`;
}

/** Control characters become visible, so that nothing begins a command of its own. */
function escapeMessage(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
