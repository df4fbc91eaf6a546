import { hostKeyOf } from "../../../../../shared/web/address/host-key.ts";
import { printable } from "../../printable.ts";
import {
  byPlace,
  describePlace,
  type LinkOutput,
  type LinkTotals,
  type ReportedLink,
} from "./link-output.ts";

/**
 * Writes one test case per link. Broken links are failures, inconclusive links are errors.
 * @see https://github.com/testmoapp/junitxml
 */
export class JUnitOutput implements LinkOutput {
  private readonly links: ReportedLink[] = [];

  add(link: ReportedLink): string {
    this.links.push(link);
    return "";
  }

  finish({ tookMs, counts }: LinkTotals): string {
    const cases = this.links.sort(byPlace).map(caseOf).join("");
    const counted = `tests="${this.links.length}" failures="${counts.broken}" errors="${counts.inconclusive}"`;
    const suite = `name="check-links" ${counted} time="${seconds(tookMs)}"`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${suite}>\n<testsuite ${suite}>\n${cases}</testsuite>\n</testsuites>\n`;
  }
}

function caseOf(link: ReportedLink): string {
  const { url, verdict, reason, places, elapsedMs } = link;
  const [first] = places;
  const where = first === undefined ? "" : ` file="${xml(first.file)}" line="${first.line}"`;
  const name = ` classname="${xml(first?.file ?? hostKeyOf(url))}" name="${xml(url)}"${where} time="${seconds(elapsedMs)}"`;
  if (verdict === "alive") return `<testcase${name}/>\n`;
  const element = verdict === "broken" ? "failure" : "error";
  const details = [reason, ...places.map(describePlace)].join("\n");
  return `<testcase${name}><${element} message="${xml(reason)}" type="${verdict}">${xml(details)}</${element}></testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for XML. Control characters, which XML cannot contain, are written as visible escapes. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .split("\n")
    .map(printable)
    .join("\n")
    .replaceAll(/[&<>"]|[\ufffe\uffff]/g, (character) => entities[character] ?? "\ufffd");
}
