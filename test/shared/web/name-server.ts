import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

/**
 * What the server says about a name: its IPv4 and IPv6 addresses, that there is no such name, a failure, or nothing at
 * all.
 */
export type DnsReply =
  | { a?: string; aaaa?: string }
  | "unknown"
  | "failure"
  | "silence"
  | "a, and silence of aaaa";

export interface NameServer {
  /** As a resolver takes it. */
  address: string;
  /** The names that were requested, a time for each question. */
  queries: string[];
  close(): Promise<void>;
}

const types = { a: 1, aaaa: 28 } as const;

/** A name server on the loopback interface. @see https://www.rfc-editor.org/rfc/rfc1035#section-4 */
export async function serveNames(reply: (name: string) => DnsReply): Promise<NameServer> {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(query);
    queries.push(name);
    const answer = answerTo(query.subarray(0, end + 4), query.readUInt16BE(end), reply(name));
    if (answer !== undefined) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answerTo(question: Buffer, type: number, reply: DnsReply): Buffer | undefined {
  if (reply === "silence" || (reply === "a, and silence of aaaa" && type === types.aaaa)) return undefined;
  if (reply === "unknown") return message(question, 3);
  if (reply === "failure") return message(question, 2);
  const { a, aaaa } = reply === "a, and silence of aaaa" ? { a: "192.0.2.9", aaaa: undefined } : reply;
  if (type === types.a && a !== undefined) return message(question, 0, Buffer.from(a.split(".").map(Number)));
  if (type === types.aaaa && aaaa !== undefined) {
    return message(question, 0, Buffer.from(aaaa.replaceAll(":", ""), "hex"));
  }
  return message(question, 0);
}

function message(question: Buffer, code: number, address?: Buffer): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 + code, 2);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (address === undefined) return head;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(address.length === 4 ? types.a : types.aaaa, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, record, address]);
}
