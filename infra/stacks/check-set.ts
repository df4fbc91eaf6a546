import { CfnParameter, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { secretNames, variables } from "../../shared/names.ts";
import { allowLoop, DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantSecret } from "../constructs/grants.ts";
import { joinPrivateNetwork } from "../constructs/private-network.ts";
import { deployReaders } from "../constructs/response-readers.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

interface CheckSetStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
}

/** The Check API: the function that serves it, and the reader of the pages of checked sets. */
export class CheckSetStack extends Stack {
  readonly api: DeployedFunction;
  /** Sources whose sets have been read completely, or which have been deleted. */
  readonly registrations: WorkQueue;

  constructor(scope: Construct, id: string, props: CheckSetStackProps) {
    super(scope, id, props);
    const { storage, requests } = props;
    const sparql = this.sparqlVariables();
    const checksOf = (name: string, byDefault: number, description: string) =>
      new CfnParameter(this, name, { type: "Number", default: byDefault, minValue: 0, description })
        .valueAsString;
    this.api = new DeployedFunction(this, "CheckSet", {
      file: "check-set",
      description: "Checks OAI-PMH sets before they are ingested",
      timeout: timeouts.longApi,
      environment: {
        ...sparql,
        [variables.checksPerCaller]: checksOf(
          "ChecksPerCaller",
          20,
          "Checks that an anonymous caller may start per hour",
        ),
        [variables.checksInTotal]: checksOf(
          "ChecksInTotal",
          200,
          "Checks that anonymous callers may start per hour",
        ),
      },
    });
    joinPrivateNetwork(this.api);
    storage.setChecks.grant(this.api, "get", "put", "update");
    storage.configuration.grant(this.api, "query");
    requests.requests.grantSend(this.api);
    grantSecret(this.api, secretNames.sparqlLogin);
    this.registrations = this.registerSets(storage, sparql);
    deployReaders(this, "check-set", {
      responses: requests.responses,
      bodies: storage.responseBodies,
      additions: {
        "set-check": {
          recursion: allowLoop(
            "A list ends with its last page, or at its limits of pages, repeats or failures.",
          ),
          grant(fn) {
            storage.setChecks.grant(fn, "get", "update");
            requests.requests.grantSend(fn);
          },
        },
      },
    });
  }

  /** Adds the function that registers harvested sets as published. */
  private registerSets(storage: StorageStack, environment: Record<string, string>): WorkQueue {
    const queue = new WorkQueue(this, "SetRegistrations", {
      name: "setRegistrations",
      readerTimeout: timeouts.reader,
      maxReceiveCount: 20,
      deadLetterSummary: "Harvested sets could not be registered as published, so checks do not find them.",
      runbook: "sets-not-registered",
    });
    const fn = new DeployedFunction(this, "RegisterSet", {
      file: "register-set",
      description: "Registers harvested sets as published at the SPARQL endpoint",
      timeout: timeouts.reader,
      environment,
    });
    joinPrivateNetwork(fn);
    storage.configuration.grant(fn, "get");
    grantSecret(fn, secretNames.sparqlLogin);
    queue.addConsumer(fn, { batchSize: 1, maxConcurrency: 2 });
    return queue;
  }

  /** Returns the variables that name the register of published sets. */
  private sparqlVariables(): Record<string, string> {
    const text = (name: string, description: string) =>
      new CfnParameter(this, name, { default: "", description }).valueAsString;
    return {
      [variables.sparqlEndpoint]: text(
        "SparqlEndpoint",
        "The SPARQL 1.1 query endpoint that knows the published sets. It may have a private address. Empty: Ingather's own sources",
      ),
      [variables.sparqlUpdateEndpoint]: text(
        "SparqlUpdateEndpoint",
        "The SPARQL 1.1 update endpoint. Empty: the query endpoint",
      ),
      [variables.sparqlLogin]: new CfnParameter(this, "SparqlLogin", {
        default: "no",
        allowedValues: ["no", "yes"],
        description: `Whether the endpoint requires the login in the secret ${secretNames.sparqlLogin}`,
      }).valueAsString,
    };
  }
}
