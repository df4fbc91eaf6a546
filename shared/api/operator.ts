import type { Context } from "hono";

interface RequestEvent {
  requestContext: { authorizer?: { jwt?: { claims?: Record<string, unknown> } } };
}

/**
 * Returns the caller from the token, which the gateway has checked: the mail address, the user name, or the subject.
 */
export function operatorOf(context: Context): string {
  const event = (context.env as { event?: RequestEvent } | undefined)?.event;
  const { email, username, client_id: client, sub } = event?.requestContext.authorizer?.jwt?.claims ?? {};
  return String(email ?? username ?? sub ?? client ?? "operator");
}
