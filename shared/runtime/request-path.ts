import { InputError } from "../core/errors.ts";

/** The longest id in a path: two of them fit the sort key of a table, which takes 1,024 bytes. */
const maxIdBytes = 400;

/** The path of a request in the event of an HTTP API. */
interface RequestPath {
  readonly rawPath: string;
  /** The decoded parameters, by their names in the route. */
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
}

/**
 * The event with each segment of its path encoded. The API decodes the path: in a URL, an id with `#`, `?`, `\` or `%`
 * would be cut off or decoded again, and the request would address something else.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function withEncodedPath<Event extends RequestPath>(event: Event): Event {
  const segments = event.rawPath.toWellFormed().split("/");
  return { ...event, rawPath: segments.map(encodeURIComponent).join("/") };
}

/**
 * Rejects ids that no table can contain, and ambiguous paths: URLs resolve `..` however it is encoded, and an API omits
 * from `rawPath` what follows an encoded `?`.
 * @param event with the path encoded
 * @throws InputError that names the segment or the parameter
 */
export function assertUnambiguousPath({ rawPath, pathParameters }: RequestPath): void {
  const segments = rawPath.split("/").map(decodeURIComponent);
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > maxIdBytes) {
      throw new InputError("path", segment, `an id must be of at most ${maxIdBytes} bytes`);
    }
    if (/\p{Cc}/u.test(segment)) {
      throw new InputError("path", segment, "an id must not have control characters");
    }
    if (segment === "." || segment === "..") throw new InputError("path", segment, "must not be . or ..");
  }
  for (const [name, value] of Object.entries(pathParameters ?? {})) {
    // The console's route has the rest of the path as one parameter.
    if (name !== "proxy" && value !== undefined && !segments.includes(value)) {
      throw new InputError(name, value, "must be the whole of a segment of the path");
    }
  }
}
