import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { AuthorityStore } from "../authority/authority-store.ts";
import type { Authority } from "../convert/authorities.ts";

interface StoredAuthority {
  lookupId: string;
  authority: Authority;
  /** The expiry in seconds since 1970. DynamoDB deletes the item some time later. */
  expiresAt: number;
}

/** Stores one item per lookup. */
export function authorityStore(): AuthorityStore {
  const authorities = table<StoredAuthority>({
    variable: "authoritiesTable",
    key: (lookupId) => ({ lookupId }),
  });
  return {
    async cached(lookupIds) {
      const items = await authorities.getMany(lookupIds);
      const valid = items.filter(({ expiresAt }) => expiresAt > Date.now() / 1000);
      return new Map(valid.map(({ lookupId, authority }) => [lookupId, authority]));
    },
    async store(lookupId, authority, until) {
      const now = Math.floor(Date.now() / 1000);
      await authorities.putIf(
        lookupId,
        { authority, expiresAt: Math.floor(until.getTime() / 1000) },
        expression`attribute_not_exists(lookupId) OR expiresAt <= ${now}`,
      );
    },
  };
}
