import { CfnParameter, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { functionNames, queueNames, variables } from "../../shared/names.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/** SQS's own bound. Attempts are counted by the gate; a receive that only waited for its turn is none. */
const mostReceives = 1000;

/** How many messages of one kind may fail before they are put aside. */
const readerTries = 5;

/** The gate: the queue of requests, the function that asks the hosts, and the queues of what they answered. */
export class RequestsStack extends Stack {
  readonly requests: WorkQueue;
  readonly feedResponses: WorkQueue;
  readonly articleResponses: WorkQueue;

  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;
    const allowedPrivateHosts = new CfnParameter(this, "AllowedPrivateHosts", {
      default: "",
      description:
        "Hosts (host:port, separated by commas) that may have private addresses. Empty in production.",
    });
    const gateSetting = (name: string, byDefault: number, description: string) =>
      new CfnParameter(this, name, { type: "Number", default: byDefault, minValue: 0, description })
        .valueAsString;

    this.requests = new WorkQueue(this, "Requests", {
      queueName: queueNames.requests,
      variable: "requestsQueue",
      readerTimeout: timeouts.gate,
      tries: mostReceives,
      whenPutAside:
        "Requests were put aside: they are malformed, or their host could not be asked for very long.",
      runbook: "requests-put-aside",
    });
    this.feedResponses = this.responses("FeedResponses", "feedResponses", "feedResponsesQueue");
    this.articleResponses = this.responses("ArticleResponses", "articleResponses", "articleResponsesQueue");

    const sendRequests = new DeployedFunction(this, "SendRequests", {
      functionName: functionNames.sendRequests,
      file: "send-requests",
      description: "Asks the hosts, one request per host at a time",
      timeout: timeouts.gate,
      memoryMiB: 1024,
      environment: {
        [variables.userAgent]: deploymentSettings(this.node).userAgent,
        [variables.allowedPrivateHosts]: allowedPrivateHosts.valueAsString,
        [variables.defaultDelayMs]: gateSetting(
          "DefaultDelayMs",
          1000,
          "Delay after a request whose source names none",
        ),
        [variables.attempts]: gateSetting("RequestAttempts", 4, "Tries per request, the first included"),
        [variables.backoffBaseMs]: gateSetting(
          "BackoffBaseMs",
          5000,
          "Wait after the first failure; doubled after each",
        ),
      },
    });
    storage.hosts.grantReadWrite(sendRequests);
    storage.responseBodies.grantPut(sendRequests);
    this.feedResponses.grantSend(sendRequests);
    this.articleResponses.grantSend(sendRequests);
    this.requests.grantSend(sendRequests);
    this.requests.deadLetters.grant(sendRequests, "sqs:SendMessage");
    sendRequests.addEnvironment(variables.requestsDeadQueue, this.requests.deadLetters.queueUrl);
    this.requests.feed(sendRequests, { batchSize: 10, maxConcurrency: 50 });
  }

  private responses(
    id: string,
    name: keyof typeof queueNames,
    variable: ConstructorParameters<typeof WorkQueue>[2]["variable"],
  ): WorkQueue {
    return new WorkQueue(this, id, {
      queueName: queueNames[name],
      variable,
      readerTimeout: timeouts.reader,
      tries: readerTries,
      whenPutAside: "Answers of hosts could not be read.",
      runbook: "responses-put-aside",
    });
  }
}
