import { pluralize } from "../../../../../shared/core/pluralize.ts";
import { printable } from "../../printable.ts";
import {
  byPlace,
  describePlace,
  type LinkOutput,
  type LinkTotals,
  type ReportedLink,
} from "./link-output.ts";

/** Writes a report for an issue or a job summary: the totals, and a table of the links that are not alive. */
export class MarkdownOutput implements LinkOutput {
  private readonly links: ReportedLink[] = [];

  add(link: ReportedLink): string {
    if (link.verdict !== "alive") this.links.push(link);
    return "";
  }

  finish({ counts }: LinkTotals): string {
    const { alive, broken, inconclusive } = counts;
    const total = pluralize(alive + broken + inconclusive, "link");
    const title = `## Links\n\n${total}: ${alive} alive, ${broken} broken, ${inconclusive} inconclusive\n`;
    if (this.links.length === 0) return title;
    const order = (link: ReportedLink) => (link.verdict === "broken" ? 0 : 1);
    const rows = this.links.sort((a, b) => order(a) - order(b) || byPlace(a, b)).map(rowOf);
    return `${title}\n| verdict | link | reason | in |\n|---|---|---|---|\n${rows.join("")}`;
  }
}

function rowOf({ verdict, url, reason, places }: ReportedLink): string {
  const where = places.map((place) => text(describePlace(place))).join("<br>");
  return `| ${verdict} | ${text(url)} | ${text(reason)} | ${where} |\n`;
}

/** Escapes text of pages and files, so that Markdown and HTML do not interpret it. */
function text(untrusted: string): string {
  return printable(untrusted)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|~@!#>]/g, "\\$&");
}
