import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { mostCallsAtOnce, type TranslationPlaces } from "../../web/translation/translator.ts";
import { dynamodb, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * One item per place, beside the hosts' (partition key `hostKey`). A place belongs to who has taken it until it is left,
 * or its time is over: its taker has died.
 */
export function translationPlaces(): TranslationPlaces {
  const TableName = variable("hostsTable");
  return {
    async take(forMs) {
      const taker = crypto.randomUUID();
      const first = Math.floor(Math.random() * mostCallsAtOnce);
      for (let tried = 0; tried < mostCallsAtOnce; tried += 1) {
        const Key = { hostKey: `translation-server#${(first + tried) % mostCallsAtOnce}` };
        const now = Date.now();
        const isMine = await whether(
          dynamodb.send(
            new UpdateCommand({
              TableName,
              Key,
              UpdateExpression: "SET taker = :taker, takenUntilMs = :until",
              ConditionExpression: "attribute_not_exists(taker) OR takenUntilMs < :now",
              ExpressionAttributeValues: { ":taker": taker, ":until": now + forMs, ":now": now },
            }),
          ),
        );
        if (isMine) return { leave: () => leave(TableName, Key, taker) };
      }
      return undefined;
    },
  };
}

async function leave(TableName: string, Key: { hostKey: string }, taker: string): Promise<void> {
  await whether(
    dynamodb.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "REMOVE taker, takenUntilMs",
        ConditionExpression: "taker = :taker",
        ExpressionAttributeValues: { ":taker": taker },
      }),
    ),
  );
}
