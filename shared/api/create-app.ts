import { Hono } from "hono";
import { refusePath } from "./answer.ts";
import type { Route, Subject } from "./route.ts";

/** Serves the routes of the subjects. Errors are handled by the caller's `onError`. */
export function createApp<Ports>(subjects: readonly Subject<Ports>[], ports: Ports): Hono {
  const app = new Hono();
  for (const { method, path, middleware = [], handler } of subjects.flatMap(({ routes }) => routes)) {
    app.on(method, [honoPath(path)], ...middleware, handler(ports));
  }
  return app;
}

/** Converts `/records/{id}` to `/records/:id`. */
function honoPath(path: Route<never>["path"]): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/**
 * Serves the routes of many subjects from one function. Only the subjects that a request may need are loaded. The first
 * segment of the request's path determines them.
 * @param create creates the app of the loaded subjects
 */
export function createAppOfParts<Ports>(
  parts: Readonly<Record<string, () => Promise<Subject<Ports>[]>>>,
  create: (subjects: Subject<Ports>[]) => Hono,
): Hono {
  const loaded = new Map<string, Promise<Hono>>();
  const load = async (subjects: () => Promise<Subject<Ports>[]>) => {
    const app = create(await subjects()).notFound(refusePath);
    return app.onError((error) => {
      throw error;
    });
  };
  return new Hono().all("*", async (context) => {
    const [, part = ""] = context.req.path.split("/");
    const subjects = Object.hasOwn(parts, part) ? parts[part] : undefined;
    if (subjects === undefined) return refusePath(context);
    const app = loaded.get(part) ?? load(subjects);
    loaded.set(part, app);
    return (await app).request(context.req.raw, undefined, context.env);
  });
}
