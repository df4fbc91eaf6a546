import { queryFirst } from "../aws/dynamodb.ts";

/** The parts of an index of pending changes: one part takes a thousand writes per second. */
const pendingParts = ["0", "1", "2", "3", "4", "5", "6", "7"];

/** The part in which a change is listed while it is pending. @param id a digest */
export function pendingPartOf(id: string): string {
  return pendingParts[id.charCodeAt(0) % pendingParts.length] ?? "0";
}

/** The keys of the first changes that have been pending since before this time. */
export async function listPendingKeys<Key>(
  index: { TableName: string; IndexName: string },
  before: string,
  limit: number,
): Promise<Key[]> {
  const keys: Key[] = [];
  for (const part of pendingParts) {
    if (keys.length >= limit) break;
    const query = {
      ...index,
      KeyConditionExpression: "pendingIn = :part AND pendingSince < :before",
      ExpressionAttributeValues: { ":part": part, ":before": before },
    };
    keys.push(...(await queryFirst<Key>(query, limit - keys.length)));
  }
  return keys;
}
