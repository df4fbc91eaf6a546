import { escapeXml } from "../xml/escape-xml.ts";
import type { CheckProgress, CheckResult } from "./check-result.ts";

/** Writes the response of a check as XML, by the schema in `docs/check-set.xsd`. */
export function writeCheckXml(
  url: string,
  found: CheckResult | ({ type: "progress" } & CheckProgress),
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<set><url>${escapeXml(url)}</url>${content(found)}</set>\n`;
}

function content(found: Parameters<typeof writeCheckXml>[1]): string {
  switch (found.type) {
    case "count":
      return `<count>${found.count}</count>`;
    case "error":
      return `<error type="${found.error}">${escapeXml(found.message)}</error>`;
    case "progress": {
      const of = found.of === undefined ? "" : `<of>${found.of}</of>`;
      return `<progress><records>${found.records}</records>${of}</progress>`;
    }
  }
}
