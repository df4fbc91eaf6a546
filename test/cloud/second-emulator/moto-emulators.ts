import { setTimeout as delay } from "node:timers/promises";
import { Agent, request as send } from "undici";
import { executeStatements } from "../../../local/cloud/dynamodb/execute-statements.ts";
import { provisionTables } from "../../../local/cloud/dynamodb/provision-tables.ts";
import type { Emulators } from "../../../local/cloud/emulators.ts";
import {
  callJson,
  jsonResponse,
  operationOf,
  type Service,
  type ServiceResponse,
} from "../../../local/cloud/service.ts";
import { provisionQueues } from "../../../local/cloud/sqs/provision-queues.ts";
import type { StartEmulators } from "../../../local/cloud/start-emulators.ts";
import { startMoto } from "./moto-process.ts";

/** Headers that the next connection sets itself. */
const ofConnection = ["host", "content-length", "connection", "transfer-encoding"];
const ofAnswer = ["connection", "transfer-encoding"];

/** SQS, S3 and DynamoDB by moto, in place of the emulators of the local cloud. Nothing is kept. */
export const startMotoEmulators: StartEmulators = async (resolver, { location, shutdown }) => {
  const { origin, stop } = await startMoto(location.account);
  const agent = new Agent({ connections: 32 });
  shutdown.add(async () => {
    stop();
    await agent.destroy();
  });

  /** moto finds the service by the scope of the signature, which it does not check. */
  const forward =
    (name: string): Service =>
    async ({ method, path, query, headers, body }) => {
      const scope = `AWS4-HMAC-SHA256 Credential=LOCAL/20261123/${location.region}/${name}/aws4_request, SignedHeaders=host, Signature=0`;
      const kept = Object.entries(headers).filter(([key]) => !ofConnection.includes(key));
      const answer = await send(`${origin}${path}${query.size > 0 ? `?${query}` : ""}`, {
        dispatcher: agent,
        method: method as "GET",
        headers: { ...(Object.fromEntries(kept) as Record<string, string>), authorization: scope },
        body: body.length > 0 ? body : null,
      });
      return {
        status: answer.statusCode,
        headers: withoutConnection(answer.headers),
        body: Buffer.from(await answer.body.arrayBuffer()),
      };
    };

  const queues = longPolled(forward("sqs"));
  const dynamodb = withStatements(oneAtATime(forward("dynamodb")));
  const s3 = forward("s3");
  await provisionQueues(resolver, queues.service);
  await provisionTables(resolver, dynamodb);
  for (const { name } of resolver.resourcesOfType("AWS::S3::Bucket"))
    await createBucket(s3, name, location.region);
  return {
    sqs: queues.service,
    s3,
    dynamodb,
    endLongPolls: queues.endLongPolls,
    depth: async (queueName) => {
      const { Attributes } = await callJson<{ Attributes: Record<string, string> }>(
        queues.service,
        "AmazonSQS.GetQueueAttributes",
        { QueueUrl: `${origin}/${location.account}/${queueName}`, AttributeNames: ["All"] },
      );
      const count = (state: string) => Number(Attributes[`ApproximateNumberOfMessages${state}`]);
      return { visible: count(""), inFlight: count("NotVisible"), delayed: count("Delayed") };
    },
  } satisfies Emulators;
};

function withoutConnection(
  headers: Record<string, string | string[] | undefined>,
): ServiceResponse["headers"] {
  // The length is that of an object, when only its head was asked for.
  const kept = Object.entries(headers).filter(([key]) => !ofAnswer.includes(key));
  return Object.fromEntries(kept) as ServiceResponse["headers"];
}

async function createBucket(s3: Service, name: string, region: string): Promise<void> {
  const body = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
  const query = new URLSearchParams();
  const answer = await s3({ method: "PUT", path: `/${name}`, query, headers: {}, body: Buffer.from(body) });
  if (answer.status >= 400) throw new Error(`${name}: ${answer.body}`);
}

/** Has moto make each statement of a batch as the operation on an item that it is: its own PartiQL knows equality alone. */
function withStatements(service: Service): Service {
  const target = (operation: string) => `DynamoDB_20120810.${operation}`;
  const operations = {
    keysOf: async (TableName: string) => {
      const { Table } = await callJson<{ Table: { KeySchema: { AttributeName: string }[] } }>(
        service,
        target("DescribeTable"),
        { TableName },
      );
      return Table.KeySchema.map(({ AttributeName }) => AttributeName);
    },
    run: async (operation: string, input: object) => {
      try {
        return { output: await callJson(service, target(operation), input) };
      } catch (error) {
        const { name, message } = error as Error;
        return { code: name, message };
      }
    },
  };
  return async (request) => {
    if (operationOf(request) !== "BatchExecuteStatement") return service(request);
    return jsonResponse(200, await executeStatements(JSON.parse(request.body.toString()), operations));
  };
}

/** One write of moto's tables after the other: it compares and writes in two steps. */
function oneAtATime(service: Service): Service {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const operation = operationOf(request);
    if (!/Put|Update|Delete|Write/.test(operation)) return service(request);
    const answer = last.then(() => service(request));
    last = answer.catch(() => {});
    return answer;
  };
}

/** How long a message that returned by itself waits, at most, for a receive. */
const maxNapMs = 1000;

/** Waits for messages here: moto would keep a thread busy for each receive that waits. */
function longPolled(service: Service): { service: Service; endLongPolls: () => void } {
  /** What ends the naps of the receives of a queue. */
  const naps = new Map<string, Set<() => void>>();
  let epoch = 0;
  const wake = (queue: string) => {
    for (const end of naps.get(queue) ?? []) end();
    naps.delete(queue);
  };
  return {
    endLongPolls: () => {
      epoch += 1;
      for (const queue of [...naps.keys()]) wake(queue);
    },
    service: async (request) => {
      const { WaitTimeSeconds = 0, ...input } = JSON.parse(request.body.toString());
      const queue = String(input.QueueUrl).split("/").at(-1) ?? "";
      if (operationOf(request) !== "ReceiveMessage") {
        const answer = await service(request);
        wake(queue);
        return answer;
      }
      const body = Buffer.from(JSON.stringify({ ...input, WaitTimeSeconds: 0 }));
      const endsAt = Date.now() + WaitTimeSeconds * 1000;
      const begun = epoch;
      for (;;) {
        const answer = await service({ ...request, body });
        const { Messages = [] } = JSON.parse(answer.body.toString() || "{}");
        if (Messages.length > 0 || Date.now() >= endsAt || epoch !== begun) return answer;
        const nap = Promise.withResolvers<void>();
        naps.set(queue, (naps.get(queue) ?? new Set()).add(nap.resolve));
        await Promise.race([nap.promise, delay(Math.min(maxNapMs, endsAt - Date.now()))]);
        naps.get(queue)?.delete(nap.resolve);
      }
    },
  };
}
