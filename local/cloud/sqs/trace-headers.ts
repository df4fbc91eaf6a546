import { AsyncLocalStorage } from "node:async_hooks";
import { traceHeader } from "../lineage.ts";
import { inputOf, operationOf, type Service } from "../service.ts";

/** The part of a fauxqs queue that this module uses. */
interface Queue {
  readonly inflightMessages: ReadonlyMap<string, { readonly message: object }>;
  enqueue(message: object): void;
}

interface Received {
  readonly Messages?: readonly { readonly ReceiptHandle: string; readonly Attributes?: object }[];
}

/** The trace header of the call that sends messages. */
const sending = new AsyncLocalStorage<string>();
/** The trace headers by message, including dead-lettered messages. A restart resets all chains. */
const headers = new WeakMap<object, string>();
const adapted = new WeakSet<object>();

/**
 * Makes queues record the trace header of the call that sends a message. @param prototype the prototype of
 * the queues
 */
export function noteTraceHeaders(prototype: Queue): void {
  // Already adapted if this process started another cloud before.
  if (adapted.has(prototype)) return;
  adapted.add(prototype);
  const { enqueue } = prototype;
  prototype.enqueue = function (message) {
    const header = sending.getStore();
    if (header !== undefined) headers.set(message, header);
    enqueue.call(this, message);
  };
}

/**
 * Stores the trace header of a call with each message that the call sends, and returns the header to
 * receivers that ask for all attributes.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_MessageSystemAttributeValue.html
 */
export function withTraceHeaders(sqs: Service, queueNamed: (name: string) => unknown): Service {
  return async (request) => {
    const operation = operationOf(request);
    const header = request.headers[traceHeader];
    if (operation.startsWith("SendMessage") && typeof header === "string")
      return sending.run(header, () => sqs(request));
    const answer = await sqs(request);
    if (operation !== "ReceiveMessage" || answer.status !== 200) return answer;
    const { QueueUrl = "", MessageSystemAttributeNames: wanted } = inputOf<{
      QueueUrl?: string;
      MessageSystemAttributeNames?: string[];
    }>(request);
    const { Messages } = JSON.parse(answer.body.toString()) as Received;
    if (Messages === undefined || !wanted?.includes("All")) return answer;
    const queue = queueNamed(QueueUrl.split("/").at(-1) ?? "") as Queue | undefined;
    const traced = Messages.map((message) => {
      const { message: sent } = queue?.inflightMessages.get(message.ReceiptHandle) ?? {};
      const AWSTraceHeader = sent && headers.get(sent);
      return AWSTraceHeader === undefined
        ? message
        : { ...message, Attributes: { ...message.Attributes, AWSTraceHeader } };
    });
    const { "content-length": _before, ...others } = answer.headers;
    return { ...answer, headers: others, body: Buffer.from(JSON.stringify({ Messages: traced })) };
  };
}
