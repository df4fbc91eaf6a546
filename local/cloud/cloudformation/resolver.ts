import { arnOf, type CloudLocation } from "../location.ts";
import { createEvaluator, fail } from "./intrinsics.ts";
import { type ResourceIdentity, resourceTypeOf } from "./resources.ts";
import type { Resource, Stack } from "./template.ts";

/** A resource with resolved properties. */
export interface ResolvedResource<Properties = Record<string, unknown>> extends ResourceIdentity {
  readonly stack: string;
  readonly logicalId: string;
  /** The physical name. */
  readonly name: string;
  readonly properties: Properties;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Resolver {
  /**
   * Returns all resources of the type, in the order of the templates.
   *
   * @throws ConfigError for an unresolvable value, naming resource and stack.
   */
  resourcesOfType<Properties>(type: string): ResolvedResource<Properties>[];
}

interface Options {
  readonly location: CloudLocation;
  /** The values of template parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns a resolver for the resources of all stacks, including references across stacks. Names are known
 * before resources are created, so the order of creation does not matter.
 *
 * @throws ConfigError for an unsupported resource type.
 */
export function createResolver(stacks: readonly Stack[], { location, parameters }: Options): Resolver {
  const { resolve } = createEvaluator({ ref, attribute, output });
  const identities = new Map<Resource, ResourceIdentity & { name: string }>();
  for (const stack of stacks) for (const resource of stack.resources.values()) assertKnown(stack, resource);

  function assertKnown(stack: Stack, resource: Resource): void {
    resourceTypeOf(resource);
    if (resource.condition === undefined) return;
    fail(
      { stack, at: resource.logicalId },
      `the local cloud does not support conditions (${resource.condition})`,
    );
  }

  function ref(stack: Stack, id: string, at: string): unknown {
    if (id.startsWith("AWS::")) return pseudoParameter(stack, id, at);
    const parameter = stack.parameters[id];
    if (parameter === undefined) return identity(stack, resourceOf(stack, id, at)).ref;
    const missing = () =>
      fail({ stack, at }, `the template parameter ${id} needs a value: pass it in parameters`);
    return parameters[id] ?? parameter.Default ?? missing();
  }

  function pseudoParameter(stack: Stack, id: string, at: string): string | undefined {
    const known: Record<string, string | undefined> = {
      "AWS::Region": location.region,
      "AWS::AccountId": location.account,
      "AWS::Partition": "aws",
      "AWS::URLSuffix": "amazonaws.com",
      "AWS::StackName": stack.name,
      "AWS::StackId": arnOf(location, "cloudformation", `stack/${stack.name}/local`),
      "AWS::NoValue": undefined,
    };
    if (id in known) return known[id];
    return fail(
      { stack, at },
      `the local cloud does not support ${id}: add it to local/cloud/cloudformation/resolver.ts`,
    );
  }

  function attribute(stack: Stack, id: string, name: string, at: string): string {
    const resource = resourceOf(stack, id, at);
    const value = identity(stack, resource).attributes[name];
    if (value !== undefined) return value;
    const problem = `${resource.type} has no attribute ${name} here: add it to local/cloud/cloudformation/resources.ts`;
    return fail({ stack, at }, problem);
  }

  function output(stackName: string, name: string): unknown {
    const stack = stacks.find((each) => each.name === stackName);
    const found = stack?.outputs[name];
    return stack && found && resolve(stack, found.Value, `output ${name}`);
  }

  function resourceOf(stack: Stack, id: string, at: string): Resource {
    return stack.resources.get(id) ?? fail({ stack, at }, `the resource or parameter ${id} does not exist`);
  }

  function identity(stack: Stack, resource: Resource): ResourceIdentity & { name: string } {
    const known = identities.get(resource);
    if (known !== undefined) return known;
    const kind = resourceTypeOf(resource);
    const property = (name: string) =>
      String(resolve(stack, resource.properties[name], `${resource.logicalId}.${name}`) ?? "");
    const name = (kind.nameProperty && property(kind.nameProperty)) || madeName(resource);
    const made = { name, ...kind.identify(name, location, { property }) };
    identities.set(resource, made);
    return made;
  }

  return {
    resourcesOfType: <Properties>(type: string) =>
      stacks.flatMap((stack) =>
        [...stack.resources.values()]
          .filter((resource) => resource.type === type)
          .map((resource) => ({
            ...identity(stack, resource),
            stack: stack.name,
            logicalId: resource.logicalId,
            metadata: resource.metadata,
            properties: resolve(stack, resource.properties, resource.logicalId) as Properties,
          })),
      ),
  };
}

/**
 * Returns a generated name. CloudFormation adds a random suffix; the name returned here is the same at each
 * start.
 */
function madeName({ stack, logicalId, type, properties }: Resource): string {
  if (type === "AWS::S3::Bucket") return `${stack}-${logicalId}`.toLowerCase();
  const isFifo = type === "AWS::SQS::Queue" && properties.FifoQueue === true;
  return `${stack}-${logicalId}${isFifo ? ".fifo" : ""}`;
}
