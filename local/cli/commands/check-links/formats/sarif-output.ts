import { createHash } from "node:crypto";
import { printable } from "../../printable.ts";
import { byPlace, type FilePlace, type LinkOutput, type ReportedLink } from "./link-output.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

const rules = [
  { id: "broken-link", shortDescription: { text: "The page no longer exists, or the link rule matches it" } },
  { id: "inconclusive-link", shortDescription: { text: "The check gave no evidence about the link" } },
];

/**
 * Writes SARIF for code scanning: a result for each place of each link that is not alive.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export class SarifOutput implements LinkOutput {
  private readonly links: ReportedLink[] = [];

  add(link: ReportedLink): string {
    if (link.verdict !== "alive") this.links.push(link);
    return "";
  }

  finish(): string {
    const results = this.links.sort(byPlace).flatMap((link) => {
      if (link.places.length === 0) return [resultOf(link, undefined)];
      return link.places.map((place) => resultOf(link, place));
    });
    const driver = { name: "ingather check-links", rules };
    const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
    return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
  }
}

function resultOf({ url, verdict, reason }: ReportedLink, place: FilePlace | undefined) {
  const where = place?.record === undefined ? "" : ` (record ${place.record})`;
  const fingerprint = createHash("sha256")
    .update(`${place?.file ?? ""}\0${url}`)
    .digest("hex");
  return {
    ruleId: `${verdict}-link`,
    ruleIndex: verdict === "broken" ? 0 : 1,
    level: verdict === "broken" ? "error" : "warning",
    message: { text: printable(`${url}: ${reason}${where}`) },
    partialFingerprints: { "link/v1": fingerprint },
    ...(place !== undefined && { locations: [locationOf(place)] }),
  };
}

function locationOf({ file, line, column }: FilePlace) {
  const uri = /^https?:/.test(file) ? file : file.split(/[/\\]/).map(encodeURIComponent).join("/");
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line, startColumn: column } },
  };
}
