import type { EventBus } from "aws-cdk-lib/aws-events";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { variables } from "../../shared/names.ts";

/** Lets a function publish on the bus, and names the bus to it. */
export function grantPublish(bus: EventBus, fn: LambdaFunction): void {
  bus.grantPutEventsTo(fn);
  fn.addEnvironment(variables.eventBus, bus.eventBusName);
}
