import { InputError } from "../core/errors.ts";

/** The longest id in a path. Two ids must fit into the sort key of a table, which holds 1,024 bytes. */
const maxIdBytes = 400;

/** The path of a request in an event of an HTTP API. */
interface RequestPath {
  readonly rawPath: string;
  /** The decoded parameters by their names in the route. */
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
}

/**
 * Returns the event with each segment of its path encoded, because the API decodes the path. Otherwise, an id with `#`,
 * `?`, `\` or `%` would be truncated or decoded a second time in a URL, so the request would address another resource.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function withEncodedPath<Event extends RequestPath>(event: Event): Event {
  const segments = event.rawPath.toWellFormed().split("/");
  return { ...event, rawPath: segments.map(encodeURIComponent).join("/") };
}

/**
 * Rejects ids that no table can contain, and ambiguous paths. Paths are ambiguous because URLs resolve `..` in any
 * encoding, and because an API omits from `rawPath` the text after an encoded `?`.
 * @param event the event with an encoded path
 * @throws InputError that names the segment or the parameter
 */
export function assertUnambiguousPath({ rawPath, pathParameters }: RequestPath): void {
  const segments = rawPath.split("/").map(decodeURIComponent);
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > maxIdBytes) {
      throw new InputError("path", segment, `an id must have at most ${maxIdBytes} bytes`);
    }
    if (/\p{Cc}/u.test(segment)) {
      throw new InputError("path", segment, "an id must not have control characters");
    }
    if (segment === "." || segment === "..") throw new InputError("path", segment, "must not be . or ..");
  }
  for (const [name, value] of Object.entries(pathParameters ?? {})) {
    // The console's route has a single parameter for the rest of the path.
    if (name !== "proxy" && value !== undefined && !segments.includes(value)) {
      throw new InputError(name, value, "must be a whole segment of the path");
    }
  }
}
