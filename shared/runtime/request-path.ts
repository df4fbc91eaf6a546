import { InputError } from "../core/errors.ts";

/** Of an id in a path: two of them fit the sort key of a table, which takes 1,024 bytes. */
const maxIdBytes = 400;

/** What an HTTP API hands out of a request's path. */
interface RequestPath {
  readonly rawPath: string;
  /** What it has matched, decoded, by the names in the route. */
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
}

/**
 * The event with its path as a URL has it, each segment encoded. The API has decoded it: pasted into a URL like that, an
 * id with `#`, `?`, `\` or `%` in it would be cut off or decoded again, and the request would be about something else.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function withEncodedPath<Event extends RequestPath>(event: Event): Event {
  const segments = event.rawPath.toWellFormed().split("/");
  return { ...event, rawPath: segments.map(encodeURIComponent).join("/") };
}

/**
 * Turns away ids that no table could have, and requests of which nobody knows what they are about: URLs go up at `..`
 * however it is encoded, and an API leaves out of `rawPath` what follows an encoded `?`.
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
    if (segment === "." || segment === "..") throw new InputError("path", segment, "is no id");
  }
  for (const [name, value] of Object.entries(pathParameters ?? {})) {
    if (value !== undefined && !segments.includes(value)) {
      throw new InputError(name, value, "must be the whole of a segment of the path");
    }
  }
}
