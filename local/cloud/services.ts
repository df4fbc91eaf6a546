import { join } from "node:path";
import type { Resolver } from "./cloudformation/resolver.ts";
import type { Emulators } from "./emulators.ts";
import { type BusEvent, createEventBus } from "./eventbridge/event-bus.ts";
import { createTargetInvoker } from "./eventbridge/targets.ts";
import type { Access } from "./iam/access.ts";
import type { Role } from "./iam/roles.ts";
import { openJsonLinesLog } from "./json-lines-log.ts";
import { createAsyncInvocations } from "./lambda/async-invocations.ts";
import { type SwitchedPollers, serveMappings } from "./lambda/event-source-mappings.ts";
import { type EventSource, readEventSources } from "./lambda/event-sources.ts";
import type { LocalFunction } from "./lambda/functions.ts";
import { createLambda } from "./lambda/lambda.ts";
import type { CloudLocation } from "./location.ts";
import { openLogGroups } from "./log-groups.ts";
import type { ScheduleChoice, Scheduler } from "./scheduler/scheduler.ts";
import { createSchedulerService } from "./scheduler/scheduler-service.ts";
import { createSecretsManager } from "./secrets-manager.ts";
import type { Service } from "./service.ts";
import { createSes } from "./ses/ses.ts";
import type { Shutdown } from "./shutdown.ts";

/** The parts from which the services of a cloud are created. */
export interface CloudParts {
  readonly stateDir: string;
  readonly location: CloudLocation;
  readonly resolver: Resolver;
  readonly emulators: Emulators;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Access;
  readonly reportError: (problem: string) => void;
  readonly shutdown: Shutdown;
}

interface ServiceOptions {
  readonly functions: ReadonlyMap<string, LocalFunction>;
  /**
   * Returns the pollers. Called at the first request that needs them, because they are started after the
   * services.
   */
  readonly pollers: () => SwitchedPollers;
  /** Which schedules of the templates fire. */
  readonly schedules: ScheduleChoice;
  /** See `Scheduler`. */
  readonly lateSchedules: boolean;
  readonly sesSandbox: boolean;
  readonly onEvent?: ((event: BusEvent) => Promise<void>) | undefined;
}

/** The AWS services of a cloud. */
interface CloudServices {
  /** The services by their names in the credential scope. */
  readonly services: Readonly<Record<string, Service>>;
  /** The verified senders in the templates. */
  readonly identities: readonly string[];
  /** The scheduler, which the caller must start. */
  readonly scheduler: Scheduler;
  /** The queues to poll: the queues of the templates, and the queue of asynchronous invocations. */
  readonly sources: readonly EventSource[];
}

export async function openServices(
  { stateDir, location, resolver, emulators, roles, access, reportError, shutdown }: CloudParts,
  { functions, pollers, schedules, lateSchedules, sesSandbox, onEvent }: ServiceOptions,
): Promise<CloudServices> {
  const { sqs, s3, dynamodb } = emulators;
  const asyncInvocations = await createAsyncInvocations(resolver, { sqs, location, functions, access });
  const logGroups = openLogGroups(join(stateDir, "log-groups"));
  const invokeTarget = createTargetInvoker({ sqs, asyncInvocations, logGroups, location });
  const { scheduler, service } = createSchedulerService(resolver, {
    stateDir,
    location,
    roles,
    access,
    invokeTarget,
    choice: schedules,
    reportError,
    isLate: lateSchedules,
    shutdown,
  });
  const mapped = readEventSources(resolver, { functions, access });
  const identities = resolver.resourcesOfType("AWS::SES::EmailIdentity").map(({ name }) => name);
  const log = openJsonLinesLog(join(stateDir, "events.ndjson"));
  return {
    services: {
      sqs,
      s3,
      dynamodb,
      scheduler: service,
      lambda: createLambda(functions, asyncInvocations, (request) =>
        serveMappings(request, mapped, pollers()),
      ),
      logs: logGroups.service,
      secretsmanager: createSecretsManager(join(stateDir, "secrets.json")),
      ses: createSes(join(stateDir, "mail"), { identities, isSandbox: sesSandbox }),
      events: createEventBus(resolver, { location, access, invokeTarget, log, reportError, onEvent }),
    },
    identities,
    scheduler,
    sources: [...mapped, asyncInvocations.source],
  };
}
