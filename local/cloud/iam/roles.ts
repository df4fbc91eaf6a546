import { ConfigError } from "../../../shared/core/errors.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import {
  appliesToPrincipal,
  assertSupported,
  evaluate,
  type PolicyDocument,
  type Statement,
  statementsOf,
} from "./policy.ts";

/** A role of the templates with all its policies. */
export interface Role {
  readonly name: string;
  readonly arn: string;
  readonly statements: readonly Statement[];
  /**
   * Returns whether the service, e.g. `scheduler.amazonaws.com`, may assume this role on behalf of a
   * resource.
   */
  trusts(service: string, onBehalfOf: { account: string; arn: string }): boolean;
}

interface RoleProperties {
  readonly AssumeRolePolicyDocument: PolicyDocument;
  readonly Policies?: readonly { PolicyName: string; PolicyDocument: PolicyDocument }[];
  readonly ManagedPolicyArns?: readonly string[];
}

interface PolicyProperties {
  readonly PolicyDocument: PolicyDocument;
  readonly Roles?: readonly string[];
}

/** AWS managed policies that permit only writing logs. The local cloud does not check this permission. */
const loggingPolicies = new Set(["service-role/AWSLambdaBasicExecutionRole"]);

/** Reads the roles. @returns the roles by ARN */
export function readRoles(resolver: Resolver): ReadonlyMap<string, Role> {
  // CDK moves statements into a managed policy if they exceed the size of the role's own policy.
  const policies = ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"].flatMap((type) =>
    resolver.resourcesOfType<PolicyProperties>(type),
  );
  const roles = resolver
    .resourcesOfType<RoleProperties>("AWS::IAM::Role")
    .map(({ name, attributes, properties }) => {
      for (const arn of properties.ManagedPolicyArns ?? []) {
        if (!loggingPolicies.has(arn.replace("arn:aws:iam::aws:policy/", ""))) {
          throw new ConfigError(`${name}: the local cloud does not support the managed policy ${arn}`);
        }
      }
      const attached = policies
        .filter(({ properties: { Roles } }) => Roles?.includes(name))
        .map((policy) => policy.properties.PolicyDocument);
      const inline = (properties.Policies ?? []).map((policy) => policy.PolicyDocument);
      const statements = [...inline, ...attached].flatMap(statementsOf);
      assertSupported(statements, `role ${name}`);
      const trust = statementsOf(properties.AssumeRolePolicyDocument);
      const arn = attributes.Arn as string;
      assertSupported(trust, `the trust policy of role ${name}`);
      const role: Role = {
        name,
        arn,
        statements,
        trusts: (service, of) =>
          evaluate(
            trust.filter((statement) => appliesToPrincipal(statement, "Service", service)),
            {
              action: "sts:AssumeRole",
              resource: arn,
              context: { "aws:sourceaccount": of.account, "aws:sourcearn": of.arn },
            },
          ) === "allow",
      };
      return [role.arn, role] as const;
    });
  return new Map(roles);
}
