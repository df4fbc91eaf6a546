import type { CheckedSet } from "./checked-set.ts";

/** What identifies a set; without `spec`, a whole repository. */
export type SetIdentity = Pick<CheckedSet, "service" | "spec">;

/** The register of published sets. */
export interface PublishedSets {
  /**
   * Whether the set is published for an audience. Without `spec`: whether any set of the service is.
   * @throws RemoteError when the register does not answer
   */
  isPublished(set: CheckedSet): Promise<boolean>;
}

/** Whether the register's entry answers for the set: exactly this one, or any of a service that is asked for alone. */
export function isSetAskedFor(set: SetIdentity, published: SetIdentity): boolean {
  return set.service === published.service && (set.spec === undefined || set.spec === published.spec);
}
