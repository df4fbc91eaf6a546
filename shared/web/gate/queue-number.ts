import { crc32 } from "node:zlib";

/** The number of the queue that has a host's message group, from 0. The requests of a host are in one queue. */
export function queueNumber(groupId: string, queues: number): number {
  return crc32(groupId) % queues;
}
