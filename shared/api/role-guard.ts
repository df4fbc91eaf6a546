import type { MiddlewareHandler } from "hono";
import { refuse } from "./answer.ts";
import { type Claims, mayActAs, type Role, roleOf } from "./role.ts";
import type { RouteDescription, Subject } from "./route.ts";

interface SignedEvent {
  requestContext: { authorizer?: { jwt?: { claims?: Claims } } };
}

/**
 * Returns the lowest role that a route requires: viewer for reads and operator for changes, unless the route names
 * another role.
 */
export function neededRole({ method, role }: Pick<RouteDescription, "method" | "role">): Role {
  return role ?? (method === "GET" ? "viewer" : "operator");
}

/**
 * Returns the subjects in which each route requires its role. A token without that role is refused with 403, and a
 * request without a token with 401. The gateway has verified the token.
 * @param options.admitsAnybody whether the gateway admits requests without a token, because the deployment opens the
 * routes
 */
export function askForRoles<Ports>(
  subjects: readonly Subject<Ports>[],
  { admitsAnybody = false }: { admitsAnybody?: boolean } = {},
): Subject<Ports>[] {
  return subjects.map((subject) => ({
    ...subject,
    routes: subject.routes.map((route) => ({
      ...route,
      middleware: [requireRole(neededRole(route), admitsAnybody), ...(route.middleware ?? [])],
    })),
  }));
}

function requireRole(role: Role, admitsAnybody: boolean): MiddlewareHandler {
  return async (context, next) => {
    const { event } = context.env as { event: SignedEvent };
    const claims = event.requestContext.authorizer?.jwt?.claims;
    if (claims === undefined && !admitsAnybody) {
      return refuse(context, 401, { detail: "the token is missing or not valid" });
    }
    if (claims !== undefined && !mayActAs(roleOf(claims), role)) {
      return refuse(context, 403, { detail: `the route needs the role ${role}` });
    }
    return next();
  };
}
