import { dynamodbActions } from "../actions/dynamodb-actions.ts";
import { eventActions } from "../actions/event-actions.ts";
import { lambdaActions } from "../actions/lambda-actions.ts";
import { s3Actions } from "../actions/s3-actions.ts";
import { schedulerActions } from "../actions/scheduler-actions.ts";
import { sesActions } from "../actions/ses-actions.ts";
import { sqsActions } from "../actions/sqs-actions.ts";
import type { AccessRequest } from "../iam/policy.ts";
import type { CloudLocation } from "../location.ts";
import { logActions } from "../log-groups.ts";
import { secretActions } from "../secrets-manager.ts";
import { type ServiceRequest, Unsupported } from "../service.ts";

/** The location of resources, and the verified senders of SES. */
export interface ActionContext extends CloudLocation {
  /** The verified addresses and domains in the templates. */
  readonly identities: readonly string[];
}

/** Returns the required actions, each with its resource. All must be permitted. */
type ActionsOf = (request: ServiceRequest, world: ActionContext) => readonly AccessRequest[];

const actionsByService: Readonly<Record<string, ActionsOf>> = {
  sqs: sqsActions,
  dynamodb: dynamodbActions,
  s3: s3Actions,
  scheduler: schedulerActions,
  events: eventActions,
  ses: sesActions,
  lambda: lambdaActions,
  secretsmanager: secretActions,
  logs: logActions,
};

/**
 * Returns the permissions that a request needs.
 *
 * @throws Unsupported for a service or an operation that the local cloud does not have.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function requiredAccess(
  service: string,
  request: ServiceRequest,
  world: ActionContext,
): readonly AccessRequest[] {
  const actionsOf = actionsByService[service];
  if (actionsOf === undefined) throw new Unsupported(`the local cloud has no service ${service}`);
  return actionsOf(request, world);
}
