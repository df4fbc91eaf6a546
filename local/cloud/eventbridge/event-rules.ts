import { ConfigError } from "../../../shared/core/errors.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import { assertPattern, type EventPattern } from "./event-pattern.ts";
import { requiredAction } from "./targets.ts";

/** The target of an event. */
interface RuleTarget {
  readonly Id: string;
  readonly Arn: string;
  readonly Input?: string;
  readonly InputPath?: string;
  readonly SqsParameters?: { readonly MessageGroupId?: string };
}

interface RuleProperties {
  readonly EventBusName?: string;
  readonly EventPattern?: EventPattern;
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly RuleTarget[];
}

export interface EventRule {
  readonly arn: string;
  readonly bus: string;
  readonly pattern: EventPattern;
  readonly targets: readonly RuleTarget[];
}

/**
 * Reads the enabled rules of the templates.
 *
 * @throws ConfigError for unsupported features: schedules, input transformers, unknown operators and targets.
 */
export function readEventRules(resolver: Resolver): EventRule[] {
  return resolver
    .resourcesOfType<RuleProperties>("AWS::Events::Rule")
    .filter(({ properties }) => properties.State !== "DISABLED")
    .map(({ name, attributes, properties }) => {
      if (properties.EventPattern === undefined || properties.ScheduleExpression !== undefined) {
        throw new ConfigError(
          `rule ${name}: the local cloud supports schedules only as AWS::Scheduler::Schedule`,
        );
      }
      assertPattern(properties.EventPattern, `rule ${name}`);
      const targets = properties.Targets ?? [];
      for (const target of targets) assertTarget(target, name);
      return {
        arn: attributes.Arn ?? "",
        bus: (properties.EventBusName ?? "default").split("/").at(-1) ?? "",
        pattern: properties.EventPattern,
        targets,
      };
    });
}

function assertTarget(target: RuleTarget, rule: string): void {
  requiredAction(target.Arn);
  const known = new Set([
    "Id",
    "Arn",
    "Input",
    "InputPath",
    "SqsParameters",
    "DeadLetterConfig",
    "RetryPolicy",
  ]);
  const other = Object.keys(target).find((key) => !known.has(key));
  if (other !== undefined)
    throw new ConfigError(`rule ${rule}: the local cloud does not support ${other} of a target`);
  if (target.InputPath !== undefined && !/^\$(\.[\w-]+)*$/.test(target.InputPath)) {
    throw new ConfigError(
      `rule ${rule}: the local cloud does not support the input path ${target.InputPath}`,
    );
  }
}
