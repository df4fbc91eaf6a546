import { maxConcurrentCalls, type TranslationSlots } from "../../../web/translation/translation-slots.ts";
import { getAll, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** A place that nobody has is free, and one whose time is over. */
interface Slot {
  hostKey: string;
  holder?: string;
  takenUntilMs?: number;
}

const keys = Array.from({ length: maxConcurrentCalls }, (_, number) => ({
  hostKey: `translation-server#${number}`,
}));

/**
 * One item per place, beside the hosts' (partition key `hostKey`). A place belongs to who has taken it until it is left,
 * or its time is over: its holder has died. All are looked at first, as one read costs less than a write for each.
 */
export function translationSlots(): TranslationSlots {
  const TableName = variable("hostsTable");
  return {
    async claim(forMs) {
      const holder = crypto.randomUUID();
      for (const Key of await freeSlots(TableName)) {
        const now = Date.now();
        const isMine = await updateIf({
          TableName,
          Key,
          UpdateExpression: "SET holder = :holder, takenUntilMs = :until",
          // It is ours already when the SDK has tried again, as the answer to its first try was lost.
          ConditionExpression: "attribute_not_exists(holder) OR takenUntilMs < :now OR holder = :holder",
          ExpressionAttributeValues: { ":holder": holder, ":until": now + forMs, ":now": now },
        });
        if (isMine) return { release: () => release(TableName, Key, holder) };
      }
      return undefined;
    },
  };
}

/** The keys of the places that were free a moment ago, beginning anywhere: not all who look begin with the same. */
async function freeSlots(TableName: string): Promise<{ hostKey: string }[]> {
  const places = await getAll<Slot>(TableName, { Keys: keys });
  const now = Date.now();
  const taken = new Set(
    places
      .filter(({ holder, takenUntilMs = 0 }) => holder !== undefined && takenUntilMs >= now)
      .map(({ hostKey }) => hostKey),
  );
  const free = keys.filter(({ hostKey }) => !taken.has(hostKey));
  const first = Math.floor(Math.random() * free.length);
  return [...free.slice(first), ...free.slice(0, first)];
}

async function release(TableName: string, Key: { hostKey: string }, holder: string): Promise<void> {
  await updateIf({
    TableName,
    Key,
    UpdateExpression: "REMOVE holder, takenUntilMs",
    ConditionExpression: "holder = :holder",
    ExpressionAttributeValues: { ":holder": holder },
  });
}
