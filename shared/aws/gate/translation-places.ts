import { mostCallsAtOnce, type TranslationPlaces } from "../../web/translation/translation-places.ts";
import { getAll, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** A place that nobody has is free, and one whose time is over. */
interface Place {
  hostKey: string;
  taker?: string;
  takenUntilMs?: number;
}

const keys = Array.from({ length: mostCallsAtOnce }, (_, number) => ({
  hostKey: `translation-server#${number}`,
}));

/**
 * One item per place, beside the hosts' (partition key `hostKey`). A place belongs to who has taken it until it is left,
 * or its time is over: its taker has died. All are looked at first, as one read costs less than a write for each.
 */
export function translationPlaces(): TranslationPlaces {
  const TableName = variable("hostsTable");
  return {
    async take(forMs) {
      const taker = crypto.randomUUID();
      for (const Key of await freePlaces(TableName)) {
        const now = Date.now();
        const isMine = await updateIf({
          TableName,
          Key,
          UpdateExpression: "SET taker = :taker, takenUntilMs = :until",
          // It is ours already when the SDK has tried again, as the answer to its first try was lost.
          ConditionExpression: "attribute_not_exists(taker) OR takenUntilMs < :now OR taker = :taker",
          ExpressionAttributeValues: { ":taker": taker, ":until": now + forMs, ":now": now },
        });
        if (isMine) return { leave: () => leave(TableName, Key, taker) };
      }
      return undefined;
    },
  };
}

/** The keys of the places that were free a moment ago, beginning anywhere: not all who look begin with the same. */
async function freePlaces(TableName: string): Promise<{ hostKey: string }[]> {
  const places = await getAll<Place>(TableName, { Keys: keys });
  const now = Date.now();
  const taken = new Set(
    places
      .filter(({ taker, takenUntilMs = 0 }) => taker !== undefined && takenUntilMs >= now)
      .map(({ hostKey }) => hostKey),
  );
  const free = keys.filter(({ hostKey }) => !taken.has(hostKey));
  const first = Math.floor(Math.random() * free.length);
  return [...free.slice(first), ...free.slice(0, first)];
}

async function leave(TableName: string, Key: { hostKey: string }, taker: string): Promise<void> {
  await updateIf({
    TableName,
    Key,
    UpdateExpression: "REMOVE taker, takenUntilMs",
    ConditionExpression: "taker = :taker",
    ExpressionAttributeValues: { ":taker": taker },
  });
}
