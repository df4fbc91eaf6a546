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
import type { BusEvent } from "./eventbridge/event-bus.ts";
import type { Faults } from "./faults.ts";
import type { GatewayParts, Principal } from "./gateway/gateway.ts";
import { type AccessObserver, createAccess } from "./iam/access.ts";
import { readRoles } from "./iam/roles.ts";
import { openJsonLinesLog } from "./json-lines-log.ts";
import { accountConcurrency } from "./lambda/concurrency.ts";
import type { FunctionLog } from "./lambda/function-log.ts";
import { type LocalFunction, readFunctions } from "./lambda/functions.ts";
import { startPollers } from "./lambda/pollers.ts";
import { type Listeners, startListeners } from "./listeners.ts";
import { lockStateDir } from "./lock.ts";
import type { Meter } from "./meter.ts";
import type { ScheduleChoice } from "./scheduler/scheduler.ts";
import { type CloudParts, openServices } from "./services.ts";
import { createShutdown, type Shutdown } from "./shutdown.ts";
import { type StartEmulators, startEmulators } from "./start-emulators.ts";

export interface CloudOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assemblyDir: string;
  /** The folder of all state. Only one process may use it at a time. */
  readonly stateDir: string;
  /** The values of the template parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Which schedules of the templates fire. Default: all. */
  readonly schedules?: ScheduleChoice;
  /** Whether queues are polled from the start. Default: true. */
  readonly polling?: boolean;
  /** The port of the API. Default: a free port. */
  readonly apiPort?: number;
  readonly region?: string;
  /** Environment variables that override those of the template, by function. */
  readonly environment?: Readonly<Record<string, Record<string, string>>>;
  readonly onLog?: (line: FunctionLog) => void;
  /** Faults that are injected into calls and deliveries of the functions, for tests. Default: none. */
  readonly faults?: Faults;
  /** Sees each event before its publisher gets an answer. */
  readonly onEvent?: (event: BusEvent) => Promise<void>;
  /** Sees what AWS would bill. Absent: nothing is counted. */
  readonly meter?: Meter;
  /** Called for each permitted use of a permission by a role. */
  readonly onAccess?: AccessObserver;
  /** Whether SES sends only to verified addresses, as in a new account. */
  readonly sesSandbox?: boolean;
  /** Whether schedules fire up to a minute late, as on AWS. */
  readonly lateSchedules?: boolean;
  /**
   * The maximum number of functions that run at the same time; further invocations are throttled. Default: no
   * limit.
   */
  readonly concurrency?: { readonly limit: number; readonly onThrottle?: () => void };
  /** The memory of functions in MB, by name. Default: that of the template. */
  readonly memoryMb?: Readonly<Record<string, number>>;
  /** Starts SQS, S3 and DynamoDB. Default: emulators in this process, which keep their data. */
  readonly emulators?: StartEmulators;
}

export interface LocalCloud {
  readonly gatewayUrl: string;
  readonly apiUrl: string;
  /** The AWS_* environment variables of the operator, who has all permissions. */
  readonly adminEnvironment: Readonly<Record<string, string>>;
  /** The merged environment variables of all functions. */
  readonly variables: Readonly<Record<string, string>>;
  /** Sets a variable in all functions that have it and have not been invoked yet. */
  setVariable(name: string, value: string): void;
  /** Returns a link that signs this user in to the console. It works once. */
  signInLink(user: LocalUser): string;
  /**
   * Returns a token for API routes that require one. The token is an admin's, unless the claims include
   * `cognito:groups` or a scope.
   */
  issueToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** @throws FunctionError with the name and message of the error that the function threw */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Resolves when no function is running and no queue has messages, visible or delayed. */
  waitUntilIdle(): Promise<void>;
  /**
   * Returns when a message can be received or a schedule fires next, in milliseconds since the epoch: 0 if a message can
   * be now, Infinity if nothing waits. Undefined while a function is running.
   */
  nextDueMs(): number | undefined;
  pausePolling(): void;
  resumePolling(): void;
  stop(): Promise<void>;
}

const account = "000000000000";

/**
 * Starts the resources of the templates in this process: emulators, the gateway, the functions' pollers, the
 * scheduler and the API. Restores the state of earlier processes.
 *
 * @throws ConfigError for unsupported templates, and if another process uses the state folder.
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
  const { faults, meter } = options;
  const listeners = await startListeners(options.apiPort ?? 0, shutdown);
  const parts = await openParts(options, { listeners, shutdown });
  const functions = openFunctions(options, { listeners, parts });
  const { services, identities, scheduler, sources } = await openServices(parts, {
    functions,
    pollers: () => polling,
    schedules: options.schedules ?? "all",
    lateSchedules: options.lateSchedules ?? false,
    sesSandbox: options.sesSandbox ?? false,
    onEvent: options.onEvent,
  });
  // Shutdown runs in reverse order, so that no schedule fires while pollers end, and no function uses closed
  // stores.
  shutdown.add(() => Promise.all([...functions.values()].map((each) => each.stop())));
  const adminKey = `ADMIN${randomUUID().replaceAll("-", "").slice(0, 15).toUpperCase()}`;
  const { location, access } = parts;
  const issuing = openApi(parts, {
    listeners,
    functions,
    gateway: {
      actionContext: { ...location, identities },
      access,
      faults,
      meter,
      principalOf: principalByAccessKey(functions, adminKey),
      services,
    },
  });
  const polling = startPollers(sources, {
    emulators: parts.emulators,
    functions,
    region: location.region,
    isPaused: options.polling === false,
    faults,
    meter,
    shutdown,
  });
  scheduler.start();
  shutdown.add(() => scheduler.stop());

  return {
    ...issuing,
    gatewayUrl: location.gatewayUrl,
    apiUrl: location.apiUrl,
    adminEnvironment: {
      AWS_ACCESS_KEY_ID: adminKey,
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_REGION: location.region,
      AWS_ENDPOINT_URL: location.gatewayUrl,
    },
    variables: Object.assign({}, ...[...functions.values()].map((each) => each.variables)),
    setVariable: (name, value) => setVariable(functions, name, value),
    invoke: async (functionName, event) => {
      const target = functions.get(functionName);
      if (target === undefined) throw new ConfigError(`there is no function ${functionName}`);
      return target.invoke(event);
    },
    waitUntilIdle: polling.waitUntilIdle,
    nextDueMs: () => {
      const receivableMs = polling.nextReceivableMs();
      return receivableMs && Math.min(receivableMs, scheduler.nextDueMs() ?? Infinity);
    },
    pausePolling: polling.pause,
    resumePolling: polling.resume,
    stop: shutdown.run,
  };
}

async function openParts(
  options: CloudOptions,
  { listeners, shutdown }: { listeners: Listeners; shutdown: Shutdown },
): Promise<CloudParts> {
  const { stateDir, region = "eu-central-1", meter, onLog = () => {} } = options;
  const { gatewayUrl, apiUrl } = listeners;
  const location = { region, account, gatewayUrl, apiUrl };
  const parameters = options.parameters ?? {};
  const resolver = createResolver(readStacks(options.assemblyDir), { location, parameters });
  const start = options.emulators ?? startEmulators;
  return {
    stateDir,
    location,
    resolver,
    emulators: await start(resolver, { stateDir, location, shutdown, meter }),
    roles: readRoles(resolver),
    access: createAccess(resolver, account, options.onAccess),
    reportError: createErrorReporter(stateDir, onLog),
    shutdown,
  };
}

function openFunctions(
  options: CloudOptions,
  { listeners: { gateway, gatewayUrl, issuerUrl }, parts }: { listeners: Listeners; parts: CloudParts },
): ReadonlyMap<string, LocalFunction> {
  const { assemblyDir, environment = {}, onLog = () => {}, faults, meter, concurrency } = options;
  const { memoryMb = {} } = options;
  const { stateDir, location, resolver, roles } = parts;
  const functions = readFunctions(resolver, {
    assemblyDir,
    stateDir,
    region: location.region,
    gateway,
    gatewayUrl,
    roles,
    environment,
    memoryMb,
    onLog,
    faults,
    concurrency: accountConcurrency(concurrency?.limit, concurrency?.onThrottle),
    meter,
  });
  setVariable(functions, variables.signInUrl, issuerUrl);
  setVariable(functions, variables.tokenKeysUrl, `${issuerUrl}/.well-known/jwks.json`);
  return functions;
}

function setVariable(functions: ReadonlyMap<string, LocalFunction>, name: string, value: string): void {
  for (const each of functions.values()) each.setVariable(name, value);
}

/** Opens the gateway, the HTTP API of the templates and the issuer of its tokens. */
function openApi(
  { stateDir, location, resolver, access, reportError }: CloudParts,
  given: {
    listeners: Listeners;
    functions: ReadonlyMap<string, LocalFunction>;
    gateway: GatewayParts;
  },
): Pick<LocalCloud, "signInLink" | "issueToken"> {
  const { listeners, functions } = given;
  const tokens = createTokens(stateDir);
  const { apiId, routes, throttle, cors } = readRoutes(resolver);
  const authorizer = routes.find((route) => route.authorizer !== undefined)?.authorizer;
  const issuer = listeners.open(
    given.gateway,
    { location, apiId, routes, throttle, cors, functions, access, tokens, reportError },
    {
      tokens,
      authorizer,
      client: consoleClientOf(resolver),
      machine: openMachineClient(resolver, {
        stateDir,
        issuerUrl: listeners.issuerUrl,
        apiUrl: location.apiUrl,
      }),
      apiUrl: location.apiUrl,
    },
  );
  return {
    signInLink: (user) => issuer.signInLink(user),
    issueToken: async (claims) => {
      if (authorizer === undefined) throw new ConfigError("no route of the API requires a token");
      const groups = "scope" in claims ? {} : { "cognito:groups": ["admin"] };
      return tokens.issue({ ...groups, ...claims }, authorizer);
    },
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

/** Returns the owner of each access key. */
function principalByAccessKey(
  functions: ReadonlyMap<string, LocalFunction>,
  adminKey: string,
): (accessKeyId: string) => Principal | undefined {
  const callers = new Map([...functions.values()].map(({ accessKeyId, caller }) => [accessKeyId, caller]));
  return (accessKeyId) => (accessKeyId === adminKey ? "admin" : callers.get(accessKeyId));
}
