import type { Context } from "hono";
import * as z from "zod";
import { count, problem, refuse, time } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { daysBefore, daysBetween, utcDay } from "../../core/day.ts";
import { InputError } from "../../core/errors.ts";
import { type BusyHostStore, type OverbookedHost, overbookedHosts } from "../../links/capacity/busy-hosts.ts";
import { hostKeyOfName } from "../../web/address/host-key.ts";
import type { HostReader } from "../../web/gate/host-reader.ts";
import type { HostPauses } from "../../web/gate/host-state.ts";
import { describeDay, statisticsKeptDays } from "../../web/gate/host-statistics.ts";
import { describeHost } from "../../web/gate/host-status.ts";
import { currentRobots, robotsAccesses } from "../../web/robots/robots-state.ts";
import type { RobotsStore } from "../../web/robots/robots-store.ts";

export interface HostPorts {
  hosts: HostReader;
  busyHosts: Pick<BusyHostStore, "latest">;
  hostPauses: HostPauses;
  robots: Pick<RobotsStore, "load">;
  clock: Clock;
}

/** The maximum length of a robots.txt in a response for people; the longest have megabytes. */
const maxRobotsChars = 20_000;

/** The maximum number of days, including today. */
const maxDays = statisticsKeptDays + 1;

const params = z.strictObject({
  host: z
    .string()
    .transform((name, { addIssue }) => {
      const hostKey = hostKeyOfName(name);
      if (hostKey !== undefined) return hostKey;
      addIssue({
        code: "custom",
        message: "must be the name of a host, with its port where that is not the scheme's own",
      });
      return z.NEVER;
    })
    .describe("A host as in URLs, such as `journal.example`, with its port unless the port is 80 or 443"),
});

/** The time that the link checks on a host need, and the time between two sweeps. */
const overbookedHost = z.strictObject({
  collections: count.describe("The collections with sampled links on the host; they take turns"),
  links: count.describe("The sampled links on the host"),
  neededHours: z.number(),
  everyHours: z.number(),
});

const hostStatus = z
  .strictObject({
    host: z.string(),
    lastRequestAt: time.optional().describe("When the last request ended"),
    nextAllowedAt: time.optional().describe("When the next request may start; absent when it may start now"),
    waitReason: z
      .enum(["delay", "back-off", "wrong-clock"])
      .optional()
      .describe(
        "`delay`: the delay after the last request. `back-off`: Retry-After, or errors of the host. `wrong-clock`: a clock was ahead; the next request corrects the time",
      ),
    failures: count.describe("Failed requests in a row"),
    givenUp: count.describe("Requests in a row that Ingather gave up"),
    unavailable: z
      .array(z.strictObject({ what: z.string(), until: time, reason: z.string() }))
      .describe("The host or its origins that are temporarily not requested"),
    pendingExchange: z
      .strictObject({ exchangeId: z.string(), attempts: count, crashes: count })
      .optional()
      .describe("The latest request, while it has no result yet"),
    paused: z
      .strictObject({ since: time, by: z.string().describe("The operator"), reason: z.string() })
      .optional()
      .describe("Set while an operator has paused the host; its requests wait"),
    overbooked: overbookedHost
      .optional()
      .describe("Set when the link checks on the host need more time than there is between two sweeps"),
    leasedUntil: time.optional().describe("Set while a worker sends requests to the host"),
    robots: z
      .array(
        z.strictObject({
          origin: z.string(),
          access: z
            .enum([...robotsAccesses, "unknown"])
            .describe("`unknown`: robots.txt will be fetched before the next request"),
          until: time.optional(),
          fetchedAt: time.optional(),
          crawlDelayMs: count.optional(),
          reason: z.string().optional(),
          text: z
            .string()
            .optional()
            .describe(
              `The first ${maxRobotsChars} characters of the robots.txt; set when \`access\` is \`rules\``,
            ),
        }),
      )
      .describe("The access that the robots.txt of each origin allows"),
  })
  .meta({ title: "HostStatus" });

const counts = z.record(z.string(), count);

const dayStatistics = z
  .strictObject({
    day: z.iso.date().describe("UTC"),
    requests: count,
    statuses: counts.describe("Responses by class of status, such as `2xx`"),
    failures: counts.describe("Failures by reason"),
    refusals: counts.describe("Refusals by reason"),
    bodyProblems: counts.describe("Problems of bodies by reason"),
    bytes: count.describe("Bytes of decompressed bodies"),
    elapsedMs: z.number().describe("The total time from request to response"),
    waitedMs: z.number().describe("The total time of waits between requests"),
    backoffMs: z.number().describe("The total time of back-off"),
    retries: count,
    deferrals: count,
  })
  .meta({ title: "DayStatistics" });

const route = routesOver<HostPorts>();

export const hostSubject = {
  title: "Hosts",
  introduction: "The requests to a host, and why the host is not requested now.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/hosts/{host}",
      summary: "Returns the status of a host: why it is not requested now, and until when",
      params,
      answers: {
        200: { description: "The status of the host", body: hostStatus },
        404: problem("The host has never been requested"),
      },
      handler:
        (ports) =>
        async (context, { params: { host } }) => {
          const [state, overbooked] = await Promise.all([
            ports.hosts.state(host),
            overbookedHosts(ports.busyHosts),
          ]);
          if (state === undefined) return notFound(context, host);
          const now = ports.clock.now();
          const status = describeHost(state, now);
          const robots = await Promise.all(
            status.robots.map(async (each) => {
              const key = currentRobots(state.robots?.[each.origin], now.getTime())?.key;
              return key === undefined ? each : { ...each, text: await robotsText(key, ports) };
            }),
          );
          return context.json({ ...status, robots, ...overbookingOf(host, overbooked) });
        },
    }),
    route({
      method: "PUT",
      path: "/hosts/{host}/pause",
      summary: "Pauses a host, so that its requests wait",
      details:
        "A request in progress is finished. Requests that miss their run's deadline are refused. A pause may last a week.",
      params,
      body: z.strictObject({ reason: z.string().trim().min(1).max(500).describe("For other operators") }),
      example: { reason: "The publisher asked us to stop for a day" },
      answers: { 204: { description: "Paused" } },
      handler:
        ({ hostPauses, clock }) =>
        async (context, { params: { host }, body: { reason } }) => {
          const since = clock.now().toISOString();
          await hostPauses.set(host, { since, by: operatorOf(context), reason });
          return context.body(null, 204);
        },
    }),
    route({
      method: "DELETE",
      path: "/hosts/{host}/pause",
      summary: "Ends the pause of a host; its requests resume within ten minutes",
      params,
      answers: { 204: { description: "The host is not paused" } },
      handler:
        ({ hostPauses }) =>
        async (context, { params: { host } }) => {
          await hostPauses.clear(host);
          return context.body(null, 204);
        },
    }),
    route({
      method: "GET",
      path: "/hosts/{host}/statistics",
      summary: "Counts requests, responses, failures, bytes and waits per day",
      details: `Statistics are kept for ${statisticsKeptDays} days. Days without requests are omitted.`,
      params,
      query: z.strictObject({
        from: z.iso
          .date()
          .optional()
          .describe(`The first day, in UTC; by default ${statisticsKeptDays} days before \`to\``),
        to: z.iso.date().optional().describe("The last day, in UTC; today by default"),
      }),
      answers: {
        200: {
          description: "The days",
          body: z.strictObject({ host: z.string(), days: z.array(dayStatistics) }),
        },
        404: problem("The host has never been requested"),
      },
      handler:
        ({ hosts, clock }) =>
        async (context, { params: { host }, query }) => {
          const { to = utcDay(clock.now()), from = daysBefore(to, statisticsKeptDays) } = query;
          const days = daysBetween(from, to, { most: maxDays });
          if (days === undefined) {
            throw new InputError("to", to, `must be 0 to ${maxDays - 1} days after from, ${from}`);
          }
          const found = await hosts.statistics(host, days);
          if (found.length === 0 && (await hosts.state(host)) === undefined) return notFound(context, host);
          return context.json({ host, days: found.map(({ day, numbers }) => describeDay(day, numbers)) });
        },
    }),
  ],
} satisfies Subject<HostPorts>;

function overbookingOf(host: string, hosts: OverbookedHost[]) {
  const found = hosts.find(({ hostKey }) => hostKey === host);
  if (found === undefined) return {};
  const { hostKey: _host, ...overbooked } = found;
  return { overbooked };
}

async function robotsText(key: string, { robots }: Pick<HostPorts, "robots">): Promise<string> {
  return (await robots.load(key)).slice(0, maxRobotsChars).toWellFormed();
}

function notFound(context: Context, hostKey: string): Response {
  const detail = `nothing is known of the host ${hostKey}`;
  return refuse(context, 404, { detail, field: "host", value: hostKey });
}
