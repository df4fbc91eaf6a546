import { InputError } from "../core/errors.ts";
import { withoutCredentials } from "../core/url-credentials.ts";
import { parseOaiUrl } from "../formats/oai/request-url.ts";

/** A set to check, given as a ListRecords request. */
export interface CheckedSet {
  /** The URL as it was given. */
  url: string;
  /** The URL that is requested first. */
  firstPageUrl: string;
  /** The base URL, without OAI-PMH parameters, from which the further pages are requested. */
  service: string;
  /** The `set` argument, decoded; absent for the whole repository. */
  spec?: string;
}

/** The maximum length of the URL. The gate does not accept longer URLs, and some room is reserved for a token. */
const maxChars = 4000;

/** Matches a URL that was encoded once too often, because no URL begins like this. */
const encodedUrl = /^https?%3A/i;

/**
 * Parses the URL of a ListRecords request. The request is sent unchanged; the repository reports problems of its
 * arguments.
 * @param text the decoded URL; if it is still encoded, it is decoded again
 * @throws InputError for any other text, and for a URL that begins in the middle of the list
 */
export function parseCheckedSet(text: string): CheckedSet {
  const url = encodedUrl.test(text.trim()) ? decoded(text.trim()) : text.trim();
  if (url === "") throw new InputError("set", text, "is empty: give the URL of a ListRecords request");
  if (url.length > maxChars) throw new InputError("set", text, `has more than ${maxChars} characters`);
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !url.isWellFormed()) {
    throw new InputError("set", text, "must be an http or https URL, percent-encoded");
  }
  const request = parseOaiUrl(withoutCredentials(url));
  const { verb = "ListRecords", args = {}, baseUrl = "" } = request ?? {};
  if (request === undefined || verb !== "ListRecords") {
    const given = parsed.searchParams.get("verb");
    throw new InputError("set", text, `must be a ListRecords request: its verb is ${given}`);
  }
  if (args.resumptionToken !== undefined) {
    throw new InputError("set", text, "has a resumptionToken: give the URL of the list's first page");
  }
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  return {
    url: withoutCredentials(url),
    firstPageUrl: parsed.href,
    service: baseUrl,
    ...(args.set !== undefined && args.set !== "" && { spec: args.set }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
