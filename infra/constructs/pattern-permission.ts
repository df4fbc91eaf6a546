import { Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";

/** What an ARN has of the deployment. */
interface Deployment {
  partition: string;
  region: string;
  account: string;
}

/** What cdk-nag's findings have in their places. */
const placeholders: Deployment = {
  partition: "<AWS::Partition>",
  region: "<AWS::Region>",
  account: "<AWS::AccountId>",
};

interface PatternPermission {
  actions: string[];
  /** The ARN with its wildcard, of literal names: cdk-nag's finding contains it. */
  resource: (deployment: Deployment) => string;
  /** Why it has a wildcard, in a sentence. */
  reason: string;
  conditions?: Record<string, unknown>;
}

/** Permits a function actions on all resources that match a pattern, and tells cdk-nag why. */
export function permitPattern(
  fn: LambdaFunction,
  { actions, resource, reason, conditions }: PatternPermission,
): void {
  const { partition, region, account } = Stack.of(fn);
  fn.addToRolePolicy(
    new PolicyStatement({
      actions,
      resources: [resource({ partition, region, account })],
      ...(conditions && { conditions }),
    }),
  );
  Validations.of(fn.role ?? fn).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource(placeholders)}]`,
    reason,
  });
}
