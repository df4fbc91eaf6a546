import type { Resolver } from "../cloudformation/resolver.ts";
import {
  type AccessRequest,
  appliesToPrincipal,
  assertSupported,
  evaluate,
  type PolicyDecision,
  type PolicyDocument,
  type Statement,
  statementsOf,
} from "./policy.ts";
import type { Role } from "./roles.ts";

/** The caller: a function or service with a role of the templates. */
export interface Caller {
  readonly role: Role;
  /** The name after the role in messages: that of the function, as on AWS. */
  readonly session: string;
}

/** An action is not permitted. The message equals that of AWS. */
export class AccessDenied extends Error {
  override readonly name = "AccessDenied";
}

export interface Access {
  /** @throws AccessDenied unless the caller's role, or the resource's own policy, permits it. */
  assertCaller(caller: Caller, request: AccessRequest): void;
  /**
   * @throws AccessDenied unless the resource's policy permits the action for the AWS service, e.g.
   *   events.amazonaws.com.
   */
  assertService(service: string, request: AccessRequest): void;
}

interface ResourcePolicyProperties {
  readonly PolicyDocument: PolicyDocument;
  readonly Queues?: readonly string[];
  readonly Bucket?: string;
}

interface BusPolicyProperties {
  readonly Statement: Statement;
}

interface PermissionProperties {
  readonly FunctionName: string;
  readonly Action: string;
  readonly Principal: string;
  readonly SourceArn?: string;
  readonly SourceAccount?: string;
}

/**
 * The context of each request. Requests on the loopback interface count as TLS, which AWS policies require.
 */
const baseContext = { "aws:securetransport": "true" };

/** Called for each permitted request of a caller. */
export type AccessObserver = (caller: Caller, request: AccessRequest) => void;

export function createAccess(resolver: Resolver, account: string, observe?: AccessObserver): Access {
  const resourcePolicies = readResourcePolicies(resolver);

  function decideFor({ role }: Caller, request: AccessRequest): PolicyDecision {
    const context = { ...baseContext, "aws:principalarn": role.arn, ...request.context };
    const full = { ...request, context };
    const ofResource = resourcePolicies.filter((statement) => appliesToPrincipal(statement, "AWS", role.arn));
    return evaluate([...role.statements, ...ofResource], full);
  }

  return {
    assertCaller: (caller, request) => {
      const user = `User: arn:aws:sts::${account}:assumed-role/${caller.role.name}/${caller.session}`;
      assertAllowed(decideFor(caller, request), request, { who: user, policy: "identity-based" });
      observe?.(caller, request);
    },
    assertService: (service, request) => {
      const context = { ...baseContext, "aws:sourceaccount": account, ...request.context };
      const statements = resourcePolicies.filter((statement) =>
        appliesToPrincipal(statement, "Service", service),
      );
      const decision = evaluate(statements, { ...request, context });
      assertAllowed(decision, request, { who: `Service: ${service}`, policy: "resource-based" });
    },
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html */
function assertAllowed(
  decision: PolicyDecision,
  { action, resource }: AccessRequest,
  { who, policy }: { who: string; policy: "identity-based" | "resource-based" },
): void {
  if (decision === "allow") return;
  const shown = action.startsWith("s3:") ? `"${resource}"` : resource;
  const article = policy === "identity-based" ? "an" : "a";
  const reason =
    decision === "explicit-deny"
      ? `with an explicit deny in ${article} ${policy} policy`
      : `because no ${policy} policy allows the ${action} action`;
  throw new AccessDenied(`${who} is not authorized to perform: ${action} on resource: ${shown} ${reason}`);
}

/** Returns the statements of queue policies, bucket policies, event bus policies and Lambda permissions. */
function readResourcePolicies(resolver: Resolver): readonly Statement[] {
  const documents = ["AWS::SQS::QueuePolicy", "AWS::S3::BucketPolicy"].flatMap((type) =>
    resolver.resourcesOfType<ResourcePolicyProperties>(type),
  );
  const statements = documents.flatMap(({ logicalId, properties }) => {
    const own = statementsOf(properties.PolicyDocument);
    assertSupported(own, logicalId);
    return own;
  });
  const logPolicies = resolver
    .resourcesOfType<{ PolicyDocument: string }>("AWS::Logs::ResourcePolicy")
    .flatMap(({ logicalId, properties }) => {
      const own = statementsOf(JSON.parse(properties.PolicyDocument));
      assertSupported(own, logicalId);
      return own;
    });
  const functions = resolver.resourcesOfType("AWS::Lambda::Function");
  const permissions = resolver.resourcesOfType<PermissionProperties>("AWS::Lambda::Permission").map(
    ({ properties }): Statement => ({
      Effect: "Allow",
      Action: properties.Action,
      Resource:
        functions.find(({ name }) => name === properties.FunctionName)?.attributes.Arn ??
        properties.FunctionName,
      Principal: { Service: properties.Principal },
      Condition: {
        ...(properties.SourceArn !== undefined && { ArnLike: { "aws:SourceArn": properties.SourceArn } }),
        ...(properties.SourceAccount !== undefined && {
          StringEquals: { "aws:SourceAccount": properties.SourceAccount },
        }),
      },
    }),
  );
  const ofBuses = resolver
    .resourcesOfType<BusPolicyProperties>("AWS::Events::EventBusPolicy")
    .map(({ logicalId, properties }) => {
      assertSupported([properties.Statement], logicalId);
      return properties.Statement;
    });
  return [...statements, ...logPolicies, ...ofBuses, ...permissions];
}
