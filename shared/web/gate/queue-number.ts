import { crc32 } from "node:zlib";

/**
 * Returns the number of the queue that has a host's message group, from 0. All requests of a host are in the same
 * queue.
 */
export function queueNumber(groupId: string, queues: number): number {
  return crc32(groupId) % queues;
}
