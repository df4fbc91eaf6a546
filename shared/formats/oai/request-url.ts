import type { OaiVerb } from "./page.ts";
import { oaiVerbs } from "./page.ts";

/** The arguments of a request to list records. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ListRecords */
export interface ListArguments {
  metadataPrefix?: string;
  set?: string;
  /** `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`. Both limits have the same granularity and are inclusive. */
  from?: string;
  until?: string;
}

/**
 * The arguments of a request. A resumption token excludes all other arguments, except for repositories that require
 * metadataPrefix together with it.
 */
export type OaiArguments =
  | ListArguments
  | { resumptionToken: string; metadataPrefix?: string }
  | { identifier: string; metadataPrefix: string };

/** Returns the URL of a GET request. Other parameters of the base URL are kept. */
export function oaiRequestUrl(baseUrl: string, verb: OaiVerb, args: OaiArguments = {}): string {
  const parameters = Object.entries({ verb, ...args }).filter(([, value]) => value !== undefined);
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const separator = !baseUrl.includes("?") ? "?" : /[?&]$/.test(baseUrl) ? "" : "&";
  return `${baseUrl}${separator}${query}`;
}

const protocolParameters = new Set([
  "verb",
  "metadataPrefix",
  "set",
  "from",
  "until",
  "resumptionToken",
  "identifier",
]);

/** A URL that a person has pasted: a base URL only, or a request with verb and arguments. */
export interface OaiLocation {
  /** The URL without OAI-PMH parameters and without a fragment. */
  baseUrl: string;
  verb?: OaiVerb;
  /** The arguments by name. The first of several arguments with the same name applies. */
  args: Readonly<Record<string, string>>;
}

/**
 * Parses a pasted URL.
 * @returns undefined for anything but an absolute http(s) URL, and for an unknown verb
 */
export function parseOaiUrl(text: string): OaiLocation | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const args: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (protocolParameters.has(name)) args[name] ??= value;
  }
  const { verb, ...others } = args;
  if (verb !== undefined && !(oaiVerbs as readonly string[]).includes(verb)) return undefined;
  // The rest of the query is kept as written.
  const rest = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !protocolParameters.has(decodeName(part)));
  url.search = "";
  url.hash = "";
  const baseUrl = rest.length === 0 ? url.href : `${url.href}?${rest.join("&")}`;
  return { baseUrl, ...(verb !== undefined && { verb: verb as OaiVerb }), args: others };
}

function decodeName(part: string): string {
  const [name = ""] = new URLSearchParams(part).keys();
  return name;
}
