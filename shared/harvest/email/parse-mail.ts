import PostalMime, { type Email } from "postal-mime";
import { findLinks } from "../../formats/page/html-links.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";

/** The parts of a message that a harvest uses. */
export interface ParsedMail {
  subject: string;
  /** The URLs in the HTML and the text of the message, each once. */
  links: URL[];
  /** Whether SES has marked the message as spam or as infected. */
  isSuspect: boolean;
}

/**
 * Parses a received message (RFC 5322 and MIME).
 * @returns the reason, as a string, when the message cannot be parsed
 * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html the verdicts in its header
 */
export async function parseMail(content: Uint8Array): Promise<ParsedMail | string> {
  let message: Email;
  try {
    message = await PostalMime.parse(content);
  } catch (error) {
    // A malformed message, for example one whose parts are nested too deeply.
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

/** Returns the URLs in plain text, without the punctuation at the end of a sentence or a bracket. */
function linksInText(text: string): URL[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"']+/gi)].flatMap(
    ([address]) => parseWebUrl(address.replace(/[).,;:!?\]]+$/, "")) ?? [],
  );
}
