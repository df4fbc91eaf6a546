import type { MessagePort } from "node:worker_threads";
import type { Gateway } from "./gateway.ts";

/** A request of a function's thread to the gateway. */
export interface GatewayCall {
  readonly id: number;
  readonly method: string;
  /** The path and the query, percent-encoded. */
  readonly url: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The response to a call. Without a response, the connection counts as reset. */
export interface GatewayAnswer {
  readonly id: number;
  readonly answer:
    | { status: number; headers: Readonly<Record<string, string | string[]>>; body: Uint8Array }
    | undefined;
}

/**
 * Responds to the requests that a thread sends by `sendToGateway`. A thread that has ended gets no response.
 */
export function serveThread(port: MessagePort, gateway: Gateway): void {
  port.on("message", async ({ id, body, ...call }: GatewayCall) => {
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer);
    const answer = await gateway({ ...call, body: bytes });
    // The body is copied and transferred, because a message would otherwise include the whole memory that a
    // small buffer is part of.
    const copied = answer && { ...answer, body: new Uint8Array(answer.body) };
    port.postMessage({ id, answer: copied } satisfies GatewayAnswer, copied ? [copied.body.buffer] : []);
  });
  port.unref();
}
