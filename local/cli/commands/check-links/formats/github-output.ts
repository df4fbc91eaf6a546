import { printable } from "../../printable.ts";
import type { FilePlace, LinkOutput, ReportedLink } from "./link-output.ts";

/**
 * Writes an annotation for each place of a link that is not alive.
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

/** Makes control characters visible, so that a message cannot contain a workflow command. */
function escapeMessage(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
