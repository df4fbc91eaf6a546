import { InputError } from "../../../../shared/core/errors.ts";
import { hostKeyOf, hostKeyOfName } from "../../../../shared/web/address/host-key.ts";
import type { HttpClient } from "../../../../shared/web/exchange/http-client.ts";

/** The headers for all hosts, and the headers for single hosts by host key. Names are in lower case. */
export interface GivenHeaders {
  everywhere: Record<string, string>;
  byHost: ReadonlyMap<string, Record<string, string>>;
}

/** The headers that cannot be given, because the connection or other options set them. */
const reserved: ReadonlyMap<string, string> = new Map([
  ["accept-encoding", "is set by the checker"],
  ["connection", "is set by the checker"],
  ["content-length", "is set by the checker"],
  ["expect", "is not supported"],
  ["host", "is set by the checker"],
  ["keep-alive", "is set by the checker"],
  ["te", "is not supported"],
  ["trailer", "is not supported"],
  ["transfer-encoding", "is set by the checker"],
  ["upgrade", "is not supported"],
  ["user-agent", "is set by --user-agent"],
]);

/**
 * Headers that contain secrets. They must not be sent to another host after a redirect or for a link to
 * another site.
 */
const secret = /^(?:authorization|cookie|proxy-authorization)$|token|secret|api-?key|session/;

/**
 * Parses `[HOST ]NAME:VALUE`. HOST is a name with or without a port. Its header is sent only to this host.
 * @throws InputError
 */
export function parseHeaders(given: readonly string[]): GivenHeaders {
  const everywhere: Record<string, string> = {};
  const byHost = new Map<string, Record<string, string>>();
  for (const text of given) {
    const { host, name, value } = parseHeader(text);
    if (host === undefined) {
      everywhere[name] = value;
    } else {
      byHost.set(host, { ...byHost.get(host), [name]: value });
    }
  }
  return { everywhere, byHost };
}

function parseHeader(text: string): { host: string | undefined; name: string; value: string } {
  const [, hostName, nameText = "", value = ""] =
    /^(?:(\S+) +)?([!#$%&'*+.^_`|~\w-]+): *([\x20-\x7e]*)$/.exec(text) ?? [];
  const name = nameText.toLowerCase();
  // The value may be a secret, so messages do not repeat it.
  const shown = text.split(":", 1)[0];
  if (name === "") throw new InputError("--header", shown, "must be [HOST ]NAME:VALUE in printable ASCII");
  const problem = reserved.get(name);
  if (problem !== undefined) throw new InputError("--header", shown, problem);
  const host = hostName === undefined ? undefined : hostKeyOfName(hostName);
  if (hostName !== undefined && host === undefined) {
    throw new InputError("--header", hostName, "is not a host name");
  }
  if (host === undefined && secret.test(name)) {
    throw new InputError("--header", shown, `must name its host, as in "www.example.org ${shown}: …"`);
  }
  return { host, name, value: value.trim() };
}

/**
 * Returns a client that adds the given headers. Each hop of a redirect chain gets the headers for its own
 * host.
 */
export function withHeaders(
  exchange: HttpClient["exchange"],
  { everywhere, byHost }: GivenHeaders,
): HttpClient["exchange"] {
  if (Object.keys(everywhere).length === 0 && byHost.size === 0) return exchange;
  return (request) => {
    const own = byHost.get(hostKeyOf(request.url));
    const cookie = joinCookies(request.headers?.cookie, own?.cookie);
    return exchange({ ...request, headers: { ...request.headers, ...everywhere, ...own, ...cookie } });
  };
}

/** Joins the cookies that the host set in this redirect chain with the given Cookie header. */
function joinCookies(received: string | undefined, given: string | undefined): { cookie?: string } {
  const all = [given, received].filter((each) => each !== undefined);
  return all.length === 0 ? {} : { cookie: all.join("; ") };
}
