import { Hono } from "hono";
import type { Route, Subject } from "./route.ts";

/** Serves the routes of the subjects. Errors are left to the caller's `onError`. */
export function createApp<Ports>(subjects: readonly Subject<Ports>[], ports: Ports): Hono {
  const app = new Hono();
  for (const { method, path, middleware = [], handler } of subjects.flatMap(({ routes }) => routes)) {
    app.on(method, [honoPath(path)], ...middleware, handler(ports));
  }
  return app;
}

/** `/records/{id}` → `/records/:id` */
function honoPath(path: Route<never>["path"]): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
