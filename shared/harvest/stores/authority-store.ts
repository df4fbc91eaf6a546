import { getAll, putIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { AuthorityStore } from "../authority/authority-store.ts";
import type { Authority } from "../convert/authorities.ts";

interface StoredAuthority {
  lookupId: string;
  authority: Authority;
  /** Seconds since 1970. DynamoDB deletes the item some time later. */
  expiresAt: number;
}

/** One item per lookup: partition key `lookupId`. */
export function authorityStore(): AuthorityStore {
  const TableName = variable("authoritiesTable");
  return {
    async cached(lookupIds) {
      const items = await getAll<StoredAuthority>(TableName, {
        Keys: lookupIds.map((lookupId) => ({ lookupId })),
        ConsistentRead: true,
      });
      const valid = items.filter(({ expiresAt }) => expiresAt > Date.now() / 1000);
      return new Map(valid.map(({ lookupId, authority }) => [lookupId, authority]));
    },
    async store(lookupId, authority, until) {
      const Item: StoredAuthority = { lookupId, authority, expiresAt: Math.floor(until.getTime() / 1000) };
      await putIf({
        TableName,
        Item,
        ConditionExpression: "attribute_not_exists(lookupId) OR expiresAt <= :now",
        ExpressionAttributeValues: { ":now": Math.floor(Date.now() / 1000) },
      });
    },
  };
}
