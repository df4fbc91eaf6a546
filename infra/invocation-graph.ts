import { allQueuesPattern } from "../shared/names.ts";
import { type Resource, resourcesOf, type Templates } from "./template-resources.ts";

/** The functions that each function can invoke, by their names. */
export type InvocationGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the functions that each function can invoke according to the templates: by a message to a queue
 * that is an event source, by Lambda directly, and by a schedule that it creates with a role that it passes.
 * EventBridge and DynamoDB are excluded, because they do not forward a lineage.
 *
 * @throws Error for a way of invocation that the graph does not support
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html#invocation-recursion-supportedservices
 */
export function invocationGraph(templates: Templates): InvocationGraph {
  const resources = resourcesOf(templates);
  assertFollowed(resources);
  const ofType = (type: string) => resources.filter((each) => each.type === type);
  const functions = ofType("AWS::Lambda::Function");
  const nameOf = new Map(functions.map(({ id, properties }) => [id, String(properties.FunctionName)]));
  const readers = Map.groupBy(ofType("AWS::Lambda::EventSourceMapping"), ({ refer, properties }) =>
    refer(properties.EventSourceArn),
  );
  const invokedBy = (id: string): string[] => [
    ...(nameOf.has(id) ? [id] : []),
    ...(readers.get(id) ?? []).flatMap(({ refer, properties }) => refer(properties.FunctionName) ?? []),
  ];
  const queues = ofType("AWS::SQS::Queue").map(({ id }) => id);
  /** A pattern permits all matching queues. */
  const queuesOf = (arn: unknown) =>
    JSON.stringify(arn).endsWith(`:${allQueuesPattern}"]]}`) ? queues : undefined;
  const policies = [...ofType("AWS::IAM::Policy"), ...ofType("AWS::IAM::ManagedPolicy")];
  const sendsTo = (role: string | undefined): string[] =>
    policies
      .filter(({ refer, properties }) => properties.Roles?.some((each) => refer(each) === role))
      .flatMap(({ refer, properties }) =>
        (properties.PolicyDocument?.Statement ?? [])
          .filter(({ Effect }) => Effect === "Allow")
          .flatMap(({ Action, Resource }) =>
            [Action].flat().flatMap((action) => {
              if (!/^(sqs:SendMessage|lambda:InvokeFunction|iam:PassRole)$/.test(action)) return [];
              const targets = [Resource]
                .flat()
                .flatMap((each) => refer(each) ?? queuesOf(each) ?? unfollowed(action, each));
              return action === "iam:PassRole" ? targets.flatMap(sendsTo) : targets;
            }),
          ),
      );
  return new Map(
    functions.map(({ id, refer, properties }) => {
      const invoked = sendsTo(refer(properties.Role)).flatMap(invokedBy);
      return [nameOf.get(id) ?? id, new Set(invoked.map((each) => nameOf.get(each) ?? each))];
    }),
  );
}

/**
 * Returns the shortest loop of each function that can cause its own invocation, as a list of function names.
 */
export function findLoops(graph: InvocationGraph): Map<string, string[]> {
  const loops = new Map<string, string[]>();
  for (const start of graph.keys()) {
    const loop = shortestWay(start, graph);
    if (loop !== undefined) loops.set(start, loop);
  }
  return loops;
}

function shortestWay(start: string, graph: InvocationGraph): string[] | undefined {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/**
 * Returns the errors in the decisions on recursive loops, as sentences. A function in a loop must declare
 * whether Lambda may stop the loop, and why. Any other function must not declare this.
 */
export function recursionProblems(templates: Templates): string[] {
  const loops = findLoops(invocationGraph(templates));
  return resourcesOf(templates)
    .filter(({ type }) => type === "AWS::Lambda::Function")
    .flatMap(({ properties, metadata }) => {
      const name = String(properties.FunctionName);
      const decision = properties.RecursiveLoop;
      const loop = loops.get(name);
      if (loop === undefined)
        return decision === undefined ? [] : [`${name} is not in a loop, but sets recursion`];
      const isDecided = decision !== undefined && typeof metadata[recursionMetadata] === "string";
      return isDecided ? [] : [`${name} is in a loop, but does not set recursion: ${loop.join(" → ")}`];
    });
}

/** The key of the reason in the metadata of a function. */
export const recursionMetadata = "ingather:recursion";

/**
 * Throws if buckets or topics invoke a function. They also forward a lineage, but so far the templates have
 * no such invocation.
 */
function assertFollowed(resources: readonly Resource[]): void {
  const queues = new Set(resources.filter(({ type }) => type === "AWS::SQS::Queue").map(({ id }) => id));
  for (const { id, type, properties, refer } of resources) {
    const isFollowed =
      type === "AWS::Lambda::EventSourceMapping"
        ? queues.has(refer(properties.EventSourceArn) ?? "")
        : type !== "AWS::SNS::Subscription" && properties.NotificationConfiguration === undefined;
    if (!isFollowed) unfollowed(type, id);
  }
}

function unfollowed(way: string, what: unknown): never {
  throw new Error(`${way} ${JSON.stringify(what)}: the graph of invocations does not follow it`);
}
