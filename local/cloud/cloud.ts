import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../shared/core/errors.ts";
import { variables } from "../../shared/names.ts";
import { readRoutes } from "./api-gateway/routes.ts";
import { createResolver } from "./cloudformation/resolver.ts";
import { readStacks } from "./cloudformation/template.ts";
import { openMachineClient } from "./cognito/machine-client.ts";
import { consoleClientOf, type LocalUser } from "./cognito/token-issuer.ts";
import { createTokens } from "./cognito/tokens.ts";
import { type StartEmulators, startEmulators } from "./emulators.ts";
import { createEventBus } from "./eventbridge/event-bus.ts";
import { createTargetInvoker } from "./eventbridge/targets.ts";
import type { Faults } from "./faults.ts";
import type { Principal } from "./gateway/gateway.ts";
import { type AccessObserver, createAccess } from "./iam/access.ts";
import { readRoles } from "./iam/roles.ts";
import { openJsonLinesLog } from "./json-lines-log.ts";
import { createAsyncInvocations } from "./lambda/async-invocations.ts";
import { accountConcurrency } from "./lambda/concurrency.ts";
import { serveMappings } from "./lambda/event-source-mappings.ts";
import { readEventSources } from "./lambda/event-sources.ts";
import type { FunctionLog } from "./lambda/function-log.ts";
import { type LocalFunction, readFunctions } from "./lambda/functions.ts";
import { createLambda } from "./lambda/lambda.ts";
import { startPollers } from "./lambda/pollers.ts";
import { startListeners } from "./listeners.ts";
import { lockStateDir } from "./lock.ts";
import { openLogGroups } from "./log-groups.ts";
import type { Meter } from "./meter.ts";
import type { ScheduleChoice } from "./scheduler/scheduler.ts";
import { createSchedulerService } from "./scheduler/scheduler-service.ts";
import { createSecretsManager } from "./secrets-manager.ts";
import { createSes } from "./ses/ses.ts";
import { createShutdown, type Shutdown } from "./shutdown.ts";

export interface CloudOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assemblyDir: string;
  /** The folder of all state, for one process at a time. */
  readonly stateDir: string;
  /** The values of the template parameters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The schedules of the templates that fire. Absent: all. */
  readonly schedules?: ScheduleChoice;
  /** Whether queues are read from the start; true when absent. */
  readonly polling?: boolean;
  /** A free port when absent. */
  readonly apiPort?: number;
  readonly region?: string;
  /** Variables that override those of the template, by function. */
  readonly environment?: Readonly<Record<string, Record<string, string>>>;
  readonly onLog?: (line: FunctionLog) => void;
  /** Faults of the functions' calls and deliveries, for tests. Absent: none. */
  readonly faults?: Faults;
  /** Sees what AWS would bill. Absent: nothing is counted. */
  readonly meter?: Meter;
  /** Sees each use of a permission by a role that is accepted. */
  readonly onAccess?: AccessObserver;
  /** Whether SES sends to verified addresses only, as in a new account. */
  readonly sesSandbox?: boolean;
  /** Whether schedules fire up to a minute late, as on AWS. */
  readonly lateSchedules?: boolean;
  /** How many functions may run at once; a further one is throttled. Absent: all. */
  readonly concurrency?: { readonly limit: number; readonly onThrottle?: () => void };
  /** Starts SQS, S3 and DynamoDB. Absent: those of this process, which keep what they have. */
  readonly emulators?: StartEmulators;
}

export interface LocalCloud {
  readonly gatewayUrl: string;
  readonly apiUrl: string;
  /** The AWS_* variables of the operator, who has all permissions. */
  readonly adminEnvironment: Readonly<Record<string, string>>;
  /** The merged environment variables of all functions. */
  readonly variables: Readonly<Record<string, string>>;
  /** Sets a variable in all functions that have it and have not been invoked yet. */
  setVariable(name: string, value: string): void;
  /** A link that signs this user in to the console, once. */
  signInLink(user: LocalUser): string;
  /** A token for the API routes that require one; it is an admin's unless the claims have `cognito:groups` or a scope. */
  issueToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** @throws FunctionError with the name and message of what the function threw. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Resolves when no function runs and no queue holds a message, visible or delayed. */
  waitUntilIdle(): Promise<void>;
  pausePolling(): void;
  resumePolling(): void;
  stop(): Promise<void>;
}

const account = "000000000000";

/**
 * Starts the resources of the templates in this process: emulators, the gateway, the functions' pollers, the scheduler and
 * the API. Earlier state is restored.
 *
 * @throws ConfigError for unsupported templates, and when another process holds the state folder.
 */
export async function startCloud(options: CloudOptions): Promise<LocalCloud> {
  mkdirSync(options.stateDir, { recursive: true });
  const shutdown = createShutdown();
  shutdown.add(lockStateDir(options.stateDir));
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(options: CloudOptions, shutdown: Shutdown): Promise<LocalCloud> {
  const { assemblyDir, stateDir, region = "eu-central-1", environment = {}, onLog = () => {} } = options;
  const listeners = await startListeners(options.apiPort ?? 0, shutdown);
  const { gateway, gatewayUrl, apiUrl, issuerUrl } = listeners;
  const location = { region, account, gatewayUrl, apiUrl };
  const resolver = createResolver(readStacks(assemblyDir), {
    location,
    parameters: options.parameters ?? {},
  });
  const emulators = await (options.emulators ?? startEmulators)(resolver, {
    stateDir,
    location,
    shutdown,
    meter: options.meter,
  });
  const { sqs } = emulators;
  const roles = readRoles(resolver);
  const access = createAccess(resolver, account, options.onAccess);
  const reportError = createErrorReporter(stateDir, onLog);
  const { faults, meter } = options;

  // Shutdown is in reverse order: no schedule fires while pollers end, no function uses closed stores.
  const functionOptions = {
    assemblyDir,
    stateDir,
    region,
    gateway,
    gatewayUrl,
    roles,
    environment,
    onLog,
    faults,
    concurrency: accountConcurrency(options.concurrency?.limit, options.concurrency?.onThrottle),
    meter,
  };
  const functions = readFunctions(resolver, functionOptions);
  const asyncInvocations = await createAsyncInvocations(resolver, { sqs, location, functions, access });
  const logGroups = openLogGroups(join(stateDir, "log-groups"));
  const invokeTarget = createTargetInvoker({ sqs, asyncInvocations, logGroups, location });
  const choice = options.schedules ?? "all";
  const { scheduler, service } = createSchedulerService(resolver, {
    stateDir,
    location,
    roles,
    access,
    invokeTarget,
    choice,
    reportError,
    isLate: options.lateSchedules ?? false,
    shutdown,
  });
  shutdown.add(() => Promise.all([...functions.values()].map((each) => each.stop())));

  const mappedSources = readEventSources(resolver, { functions, access });
  const adminKey = `ADMIN${randomUUID().replaceAll("-", "").slice(0, 15).toUpperCase()}`;
  const identities = resolver.resourcesOfType("AWS::SES::EmailIdentity").map(({ name }) => name);
  const eventLog = openJsonLinesLog(join(stateDir, "events.ndjson"));
  const tokens = createTokens(stateDir);
  const { apiId, routes, throttle, cors } = readRoutes(resolver);
  const authorizer = routes.find((route) => route.authorizer !== undefined)?.authorizer;
  for (const each of functions.values()) {
    each.setVariable(variables.signInUrl, issuerUrl);
    each.setVariable(variables.tokenKeysUrl, `${issuerUrl}/.well-known/jwks.json`);
  }
  const issuer = listeners.open(
    {
      actionContext: { ...location, identities },
      access,
      faults,
      meter,
      principalOf: principalByAccessKey(functions, adminKey),
      services: {
        sqs,
        s3: emulators.s3,
        dynamodb: emulators.dynamodb,
        scheduler: service,
        lambda: createLambda(functions, asyncInvocations, (request) =>
          serveMappings(request, mappedSources, polling),
        ),
        logs: logGroups.service,
        secretsmanager: createSecretsManager(join(stateDir, "secrets.json")),
        ses: createSes(join(stateDir, "mail"), { identities, isSandbox: options.sesSandbox ?? false }),
        events: createEventBus(resolver, { location, access, invokeTarget, log: eventLog, reportError }),
      },
    },
    { location, apiId, routes, throttle, cors, functions, access, tokens, reportError },
    {
      tokens,
      authorizer,
      client: consoleClientOf(resolver),
      machine: openMachineClient(resolver, { stateDir, issuerUrl }),
      apiUrl,
    },
  );
  const isPaused = options.polling === false;
  const sources = [...mappedSources, asyncInvocations.source];
  const polling = startPollers(sources, {
    emulators,
    functions,
    region,
    isPaused,
    faults,
    meter,
    shutdown,
  });
  scheduler.start();
  shutdown.add(scheduler.stop);

  return {
    gatewayUrl,
    apiUrl,
    adminEnvironment: {
      AWS_ACCESS_KEY_ID: adminKey,
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_REGION: region,
      AWS_ENDPOINT_URL: gatewayUrl,
    },
    variables: Object.assign({}, ...[...functions.values()].map((each) => each.variables)),
    setVariable: (name, value) => {
      for (const each of functions.values()) each.setVariable(name, value);
    },
    signInLink: (user) => issuer.signInLink(user),
    issueToken: async (claims) => {
      if (authorizer === undefined) throw new ConfigError("no route of the API requires a token");
      const groups = "scope" in claims ? {} : { "cognito:groups": ["admin"] };
      return tokens.issue({ ...groups, ...claims }, authorizer);
    },
    invoke: async (functionName, event) => {
      const target = functions.get(functionName);
      if (target === undefined) throw new ConfigError(`there is no function ${functionName}`);
      return target.invoke(event);
    },
    waitUntilIdle: polling.waitUntilIdle,
    pausePolling: polling.pause,
    resumePolling: polling.resume,
    stop: shutdown.run,
  };
}

/** Logs errors outside functions, under the function name `cloud`. */
function createErrorReporter(
  stateDir: string,
  onLog: (line: FunctionLog) => void,
): (problem: string) => void {
  const log = openJsonLinesLog(join(stateDir, "logs", "cloud.log"));
  return (message) => {
    const line = { functionName: "cloud", time: new Date().toISOString(), level: "ERROR", message };
    log.append(line);
    onLog(line);
  };
}

/** The owner of each access key. */
function principalByAccessKey(
  functions: ReadonlyMap<string, LocalFunction>,
  adminKey: string,
): (accessKeyId: string) => Principal | undefined {
  const callers = new Map([...functions.values()].map(({ accessKeyId, caller }) => [accessKeyId, caller]));
  return (accessKeyId) => (accessKeyId === adminKey ? "admin" : callers.get(accessKeyId));
}
