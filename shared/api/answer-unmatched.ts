import type { Context } from "hono";
import { refuse, refusePath } from "./answer.ts";
import type { RouteDescription } from "./route.ts";

type Routes = readonly Pick<RouteDescription, "method" | "path">[];

/**
 * Responds to a request that no route serves: 404 for an unknown path; for a known path, 405 for an unsupported method
 * and 204 for `OPTIONS`, both with `Allow`.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5.6
 */
export function answerUnmatched(context: Context, routes: Routes): Response {
  const { method, path } = context.req;
  const allowed = allowedMethods(path, routes);
  if (allowed.length === 0) return refusePath(context);
  context.header("Allow", allowed.join(", "));
  if (method === "OPTIONS") return context.body(null, 204);
  const detail = `${path} supports only the methods ${allowed.join(", ")}`;
  return refuse(context, 405, { detail, field: "method", value: method });
}

/**
 * Returns the methods of a path, which is encoded as in a URL. `HEAD` is included wherever there is `GET`, and
 * `OPTIONS` everywhere.
 */
function allowedMethods(path: string, routes: Routes): string[] {
  const segments = path.split("/").map(decodeSegment);
  const methods = routes.filter((route) => matches(route.path, segments)).map(({ method }) => method);
  if (methods.length === 0) return [];
  const all = new Set<string>([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
  return [...all].sort();
}

function matches(path: RouteDescription["path"], segments: readonly string[]): boolean {
  const pattern = path.split("/");
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
