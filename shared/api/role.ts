/** The roles of callers, the lowest first. Each role includes the permissions of the previous ones. */
export const roles = ["viewer", "operator", "admin"] as const;

export type Role = (typeof roles)[number];

/** The prefix of the scopes of machine clients, which are named after roles: `ingather/viewer`, … */
export const scopePrefix = "ingather/";

/**
 * The claims of a token, as in its payload or as an authorizer passes them on. An authorizer passes each claim as text,
 * and a list as `[a b]`.
 */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the highest role that a token gives, by the groups of a user or the scopes of a machine client.
 * @returns undefined when the token gives no role
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function roleOf(claims: Claims): Role | undefined {
  const groups = wordsOf(claims["cognito:groups"]);
  const scopes = wordsOf(claims.scope);
  return roles.findLast((role) => groups.includes(role) || scopes.includes(scopePrefix + role));
}

/** Decides whether a caller with this role has the permissions of the needed role. */
export function mayActAs(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);
}

function wordsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === "string" ? claim.replace(/^\[|\]$/g, "").split(/[ ,]+/) : [];
}
