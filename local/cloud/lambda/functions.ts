import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError } from "../../../shared/core/errors.ts";
import type { ResolvedResource, Resolver } from "../cloudformation/resolver.ts";
import type { Faults } from "../faults.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Caller } from "../iam/access.ts";
import type { Role } from "../iam/roles.ts";
import { type JsonLinesLog, openJsonLinesLog } from "../json-lines-log.ts";
import { maxEnvironmentBytes } from "../limits.ts";
import { headerAfter, type Lineage, maxPasses, passesOf, RecursiveInvocation } from "../lineage.ts";
import type { Meter } from "../meter.ts";
import type { Concurrency } from "./concurrency.ts";
import { type FunctionLog, parseLogLine } from "./function-log.ts";
import { FunctionThreads } from "./function-threads.ts";
import { FunctionThread } from "./worker.ts";

export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  readonly timeoutMs: number;
  readonly accessKeyId: string;
  readonly caller: Caller;
  /** The variables of the template and of the options, without those of the Lambda runtime. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * @throws FunctionError with the name and message of the error that the function threw; TooManyRequests if
   *   it is throttled; RecursiveInvocation if the lineage has passed the function too often
   */
  invoke(event: unknown, by?: { requestId?: string; lineage?: Lineage }): Promise<unknown>;
  /** Sets an existing variable, for threads that start after this call. */
  setVariable(name: string, value: string): void;
  activeInvocations(): number;
  /**
   * Ends the running invocations, as if the function's host had failed. Later invocations get a new thread.
   */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface FunctionProperties {
  readonly Handler: string;
  readonly Role: string;
  readonly Timeout?: number;
  readonly MemorySize?: number;
  readonly Environment?: { Variables?: Record<string, string> };
  /** Default: `Terminate`. */
  readonly RecursiveLoop?: "Allow" | "Terminate";
}

interface Options {
  readonly assemblyDir: string;
  readonly stateDir: string;
  readonly region: string;
  readonly gateway: Gateway;
  readonly gatewayUrl: string;
  readonly roles: ReadonlyMap<string, Role>;
  readonly environment: Readonly<Record<string, Record<string, string>>>;
  /** Replaces the memory of the template, by function. */
  readonly memoryMb: Readonly<Record<string, number>>;
  readonly onLog: (line: FunctionLog) => void;
  readonly faults: Faults | undefined;
  readonly concurrency: Concurrency;
  readonly meter: Meter | undefined;
}

/**
 * Reads the functions of the templates. @returns the functions by name; the thread of each starts with its
 * first invocation
 */
export function readFunctions(resolver: Resolver, options: Options): ReadonlyMap<string, LocalFunction> {
  const functions = resolver.resourcesOfType<FunctionProperties>("AWS::Lambda::Function");
  for (const name of Object.keys(options.environment)) {
    if (!functions.some((each) => each.name === name)) throw new ConfigError(`there is no function ${name}`);
  }
  return new Map(functions.map((resource) => [resource.name, createFunction(resource, options)]));
}

function createFunction(resource: ResolvedResource<FunctionProperties>, options: Options): LocalFunction {
  const { name, properties } = resource;
  const arn = resource.attributes.Arn as string;
  const timeoutMs = Number(properties.Timeout ?? 3) * 1000;
  const memoryMb = options.memoryMb[name] ?? Number(properties.MemorySize ?? 128);
  const accessKeyId = `LOCAL${randomUUID().replaceAll("-", "").slice(0, 15).toUpperCase()}`;
  const role = options.roles.get(properties.Role);
  if (role === undefined) throw new ConfigError(`${name}: its role is not in the templates`);
  const variables = variablesOf(resource, options);
  const environment = { ...runtimeEnvironment({ name, memoryMb, accessKeyId }, options), ...variables };
  const data = {
    ...resolveHandler(resource, options.assemblyDir),
    functionName: name,
    arn,
    memoryMb,
    gatewayUrl: options.gatewayUrl,
    clockOffset: options.faults?.clockOffset,
  };
  const onLine = openLog(name, options);
  const threads = new FunctionThreads(
    (events) =>
      new FunctionThread({ data, environment, gateway: options.gateway, timeoutMs, onLine, ...events }),
    // An invocation without enough memory must not end others.
    { isShared: !(name in options.memoryMb) },
  );
  return {
    name,
    arn,
    timeoutMs,
    accessKeyId,
    variables,
    caller: { role, session: name },
    invoke: async (event, { requestId = randomUUID(), lineage = new Map() } = {}) => {
      if (properties.RecursiveLoop !== "Allow" && passesOf(lineage, arn) >= maxPasses) {
        const message = `Lambda has dropped the invocation, because its chain of messages has passed the function ${maxPasses} times`;
        onLine(JSON.stringify({ level: "ERROR", requestId, message, metric: "RecursiveInvocationsDropped" }));
        throw new RecursiveInvocation(message);
      }
      return options.concurrency.run(async () => {
        const startedAt = performance.now();
        try {
          return await threads.run({ requestId, event, traceId: headerAfter(lineage, arn) });
        } finally {
          options.meter?.invocation({ functionName: name, memoryMb, ms: performance.now() - startedAt });
        }
      });
    },
    setVariable: (name, value) => {
      if (name in variables) environment[name] = value;
    },
    activeInvocations: () => threads.activeInvocations(),
    kill: () => threads.kill(),
    stop: () => threads.stop(),
  };
}

/** Returns the variables of a function. @throws ConfigError if they exceed Lambda's limit */
function variablesOf(
  { name, properties }: ResolvedResource<FunctionProperties>,
  options: Options,
): Record<string, string> {
  const given = Object.entries({ ...properties.Environment?.Variables, ...options.environment[name] });
  const variables = given.map(([key, value]) => [key, String(value)] as const);
  const bytes = variables.reduce((sum, entry) => sum + Buffer.byteLength(entry.join("")), 0);
  if (bytes > maxEnvironmentBytes) {
    throw new ConfigError(`${name}: its variables take ${bytes} bytes, more than ${maxEnvironmentBytes}`);
  }
  return Object.fromEntries(variables);
}

/** Returns a writer for the log lines of a function. The file is opened with the first line. */
function openLog(name: string, { stateDir, meter, onLog }: Options): (line: string) => void {
  let file: JsonLinesLog | undefined;
  return (line) => {
    const entry = parseLogLine(name, line);
    file ??= openJsonLinesLog(join(stateDir, "logs", `${name}.log`));
    file.append(entry);
    meter?.logLine(name, Buffer.byteLength(line));
    onLog(entry);
  };
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
function runtimeEnvironment(
  { name, memoryMb, accessKeyId }: { name: string; memoryMb: number; accessKeyId: string },
  { region, gatewayUrl }: Options,
): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL: gatewayUrl,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
  };
}

/** Returns the module and the export of `<file>.handler` in the function's asset. */
function resolveHandler(
  { name, properties, metadata }: ResolvedResource<FunctionProperties>,
  assemblyDir: string,
): { moduleUrl: string; handlerName: string } {
  const asset = metadata["aws:asset:path"];
  if (typeof asset !== "string") {
    throw new ConfigError(`${name}: its code is not an asset; synthesise with aws:cdk:enable-asset-metadata`);
  }
  const [file = "", handlerName = ""] = properties.Handler.split(".");
  const folder = resolve(assemblyDir, asset);
  const module = [`${file}.mjs`, `${file}.js`].map((each) => join(folder, each)).find(existsSync);
  if (module === undefined) throw new ConfigError(`${name}: ${file}.mjs does not exist in ${folder}`);
  return { moduleUrl: pathToFileURL(module).href, handlerName };
}
