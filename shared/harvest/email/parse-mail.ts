import PostalMime, { type Email } from "postal-mime";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import { findLinks } from "../../metadata/page/html-links.ts";

/** What a harvest wants of a message. */
export interface ParsedMail {
  subject: string;
  /** The addresses in its HTML and its text, each once. */
  links: URL[];
  /** Whether SES holds it for spam, or for infected. */
  isSuspect: boolean;
}

/**
 * Reads a message as it was received (RFC 5322 and MIME); what is wrong with it where that cannot be done.
 * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html for the verdicts in its header
 */
export async function parseMail(content: Uint8Array): Promise<ParsedMail | string> {
  let message: Email;
  try {
    message = await PostalMime.parse(content);
  } catch (error) {
    // Parts nested too deep, headers without end: the sender's doing.
    return error instanceof Error ? error.message : String(error);
  }
  const links = [...findLinks(message.html ?? "", "about:blank"), ...linksInText(message.text ?? "")];
  return {
    subject: message.subject ?? "",
    links: [...new Map(links.map((link) => [link.href, link])).values()],
    isSuspect: message.headers.some(
      ({ key, value }) => /^x-ses-(?:spam|virus)-verdict$/.test(key) && value.trim().toUpperCase() === "FAIL",
    ),
  };
}

/** What ends a sentence or a bracket ends an address too. */
function linksInText(text: string): URL[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"']+/gi)].flatMap(
    ([address]) => parseWebUrl(address.replace(/[).,;:!?\]]+$/, "")) ?? [],
  );
}
