import type { LinkOutput, ReportedLink } from "./link-output.ts";

/** Writes one JSON object per line. */
export class JsonOutput implements LinkOutput {
  add(link: ReportedLink): string {
    const { url, verdict, finding, sign, reason, rulePart, matchedText, notCounted, hops } = link;
    const { elapsedMs, checkedAt } = link;
    const places = link.places.length > 0 ? link.places : undefined;
    // `JSON.stringify` omits fields that are `undefined`.
    const fields = {
      url,
      verdict,
      finding,
      sign,
      reason,
      rulePart,
      matchedText,
      notCounted,
      hops,
      elapsedMs,
      checkedAt,
      places,
    };
    return `${JSON.stringify(fields)}\n`;
  }

  finish(): string {
    return "";
  }
}
