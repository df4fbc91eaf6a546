import { ConfigError } from "../../../shared/core/errors.ts";
import type { Stack } from "./template.ts";

/** The values that intrinsic functions need from outside the template. */
interface Lookup {
  ref(stack: Stack, id: string, at: string): unknown;
  attribute(stack: Stack, id: string, name: string, at: string): string;
  /** Returns the value of an output of a stack; undefined if the output does not exist. */
  output(stackName: string, name: string): unknown;
}

interface Evaluator {
  /**
   * Evaluates all functions in a value. @param at the path in the template @throws ConfigError naming the
   * path
   */
  resolve(stack: Stack, value: unknown, at: string): unknown;
}

interface Call {
  readonly stack: Stack;
  readonly argument: unknown;
  readonly at: string;
}

/**
 * Returns an evaluator for the intrinsic functions of a template. AWS::NoValue removes the property.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export function createEvaluator(lookup: Lookup): Evaluator {
  const functions: Readonly<Record<string, (call: Call) => unknown>> = {
    Ref: ({ stack, argument, at }) => lookup.ref(stack, String(argument), at),
    "Fn::GetAtt": ({ stack, argument, at }) => {
      const [id = "", ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split(".");
      return lookup.attribute(stack, id, path.join("."), at);
    },
    "Fn::Join": (call) => {
      const [separator, parts] = args<[string, unknown[]]>(call);
      return parts.map(String).join(separator);
    },
    "Fn::Sub": substitute,
    "Fn::GetStackOutput": (call) => {
      const { StackName, OutputName } = args<{ StackName: string; OutputName: string }>(call);
      return lookup.output(StackName, OutputName) ?? fail(call, `${StackName} has no output ${OutputName}`);
    },
  };

  function resolve(stack: Stack, value: unknown, at: string): unknown {
    if (Array.isArray(value)) {
      return value.map((entry) => resolve(stack, entry, at)).filter((entry) => entry !== undefined);
    }
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined && (name === "Ref" || name.startsWith("Fn::"))) {
      const call = { stack, argument, at };
      const unknown = () =>
        fail(
          call,
          `the local cloud does not support ${name}: add it to local/cloud/cloudformation/intrinsics.ts`,
        );
      return (functions[name] ?? unknown)(call);
    }
    const resolved = entries.map(([key, entry]) => [key, resolve(stack, entry, at)]);
    return Object.fromEntries(resolved.filter(([, entry]) => entry !== undefined));
  }

  function args<Arguments>({ stack, argument, at }: Call): Arguments {
    return resolve(stack, argument, at) as Arguments;
  }

  function substitute({ stack, argument, at }: Call): string {
    const [template, own] = (Array.isArray(argument) ? argument : [argument, {}]) as [
      string,
      Record<string, unknown>,
    ];
    return template.replaceAll(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal !== "") return `\${${name}}`;
      if (name in own) return String(resolve(stack, own[name], at));
      const [id = "", ...path] = name.split(".");
      const isAttribute = path.length > 0;
      return String(
        isAttribute ? lookup.attribute(stack, id, path.join("."), at) : lookup.ref(stack, id, at),
      );
    });
  }

  return { resolve };
}

/** @throws ConfigError naming the stack and the path in its template. */
export function fail({ stack, at }: { stack: Stack; at: string }, problem: string): never {
  throw new ConfigError(`${at} in stack ${stack.name}: ${problem}`);
}
