import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { LookupAnswer } from "../lookups/lookup-answer.ts";
import type { LookupStore } from "../lookups/lookup-store.ts";

interface StoredAnswer {
  lookupId: string;
  /** Absent from items of earlier versions, which are looked up again. */
  answer?: LookupAnswer;
  /** The expiry in seconds since 1970. DynamoDB deletes the item some time later. */
  expiresAt: number;
}

/** Stores one item per lookup. */
export function lookupStore(): LookupStore {
  const answers = table<StoredAnswer>({
    variable: "authoritiesTable",
    key: (lookupId) => ({ lookupId }),
  });
  return {
    async cached(lookupIds) {
      const items = await answers.getMany(lookupIds);
      const now = Date.now() / 1000;
      return new Map(
        items.flatMap(({ lookupId, answer, expiresAt }) =>
          answer !== undefined && expiresAt > now ? [[lookupId, answer] as const] : [],
        ),
      );
    },
    async store(lookupId, answer, until) {
      const now = Math.floor(Date.now() / 1000);
      await answers.putIf(
        lookupId,
        { answer, expiresAt: Math.floor(until.getTime() / 1000) },
        expression`attribute_not_exists(answer) OR expiresAt <= ${now}`,
      );
    },
  };
}
