import { InputError } from "../core/errors.ts";
import { withoutCredentials } from "../core/url-credentials.ts";
import { parseOaiUrl } from "../formats/oai/request-url.ts";

/** A set that is checked: a ListRecords request. */
export interface CheckedSet {
  /** As it was given. */
  url: string;
  /** What is requested first. */
  firstPageUrl: string;
  /** Where the further pages are requested: without OAI-PMH parameters. */
  service: string;
  /** The `set` argument, decoded; absent: the whole repository. */
  spec?: string;
}

/** The gate takes no longer URL; some room is left for a token. */
const maxChars = 4000;

/** A URL never begins so: the whole of it was encoded once too often. */
const encodedUrl = /^https?%3A/i;

/**
 * Parses the URL of a ListRecords request. The request is sent as it was given: what is wrong with its arguments, the
 * repository says.
 * @param text decoded; one that is encoded again is decoded
 * @throws InputError for anything but such a URL, and for one that begins in the middle of the list
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
