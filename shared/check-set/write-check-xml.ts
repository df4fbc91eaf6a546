import type { CheckProgress, CheckResult } from "./check-result.ts";

/** Writes the response of a check as XML, by the schema in `docs/check-set.xsd`. */
export function writeCheckXml(
  url: string,
  found: CheckResult | ({ type: "progress" } & CheckProgress),
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<set><url>${escapeText(url)}</url>${content(found)}</set>\n`;
}

function content(found: Parameters<typeof writeCheckXml>[1]): string {
  switch (found.type) {
    case "count":
      return `<count>${found.count}</count>`;
    case "error":
      return `<error type="${found.error}">${escapeText(found.message)}</error>`;
    case "progress": {
      const of = found.of === undefined ? "" : `<of>${found.of}</of>`;
      return `<progress><records>${found.records}</records>${of}</progress>`;
    }
  }
}

/**
 * Escapes a text. Characters that XML 1.0 forbids are replaced.
 * @see https://www.w3.org/TR/xml/#charsets
 */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
