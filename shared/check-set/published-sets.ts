import type { CheckedSet } from "./checked-set.ts";

/** The identity of a set. Without `spec`, it is a whole repository. */
export type SetIdentity = Pick<CheckedSet, "service" | "spec">;

/** The register of published sets. */
export interface PublishedSets {
  /**
   * Returns whether the set is published for an audience. Without `spec`, returns whether any set of the service is
   * published.
   * @throws RemoteError when the register does not respond
   */
  isPublished(set: CheckedSet): Promise<boolean>;
}

/**
 * Returns whether an entry of the register applies to the requested set: it is exactly this set, or any set of a
 * service that was requested without a set.
 */
export function isSetAskedFor(set: SetIdentity, published: SetIdentity): boolean {
  return set.service === published.service && (set.spec === undefined || set.spec === published.spec);
}
