/** What a caller may do, from the least on: each role may do what those before it may. */
export const roles = ["viewer", "operator", "admin"] as const;

export type Role = (typeof roles)[number];

/** The scopes of machine clients, by role: `ingather/viewer`, … */
export const scopePrefix = "ingather/";

/** The claims of a token, as its payload has them or as an authorizer passes them on: each as text, a list as `[a b]`. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The highest role that a token gives, by the groups of a user or the scopes of a machine client; undefined: none.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function roleOf(claims: Claims): Role | undefined {
  const groups = wordsOf(claims["cognito:groups"]);
  const scopes = wordsOf(claims.scope);
  return roles.findLast((role) => groups.includes(role) || scopes.includes(scopePrefix + role));
}

/** Whether a caller of this role may do what needs that one. */
export function mayActAs(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);
}

function wordsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === "string" ? claim.replace(/^\[|\]$/g, "").split(/[ ,]+/) : [];
}
