import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { daysBefore, daysBetween, utcDay } from "../core/day.ts";
import { InputError } from "../core/errors.ts";
import { hostKeyOfName } from "../web/address/host-key.ts";
import type { HostReader } from "../web/gate/host-reader.ts";
import { describeDay, statisticsKeptDays } from "../web/gate/host-statistics.ts";
import { describeHost } from "../web/gate/host-status.ts";
import { parseQuery, refuseQuery } from "./parse-request.ts";

export interface HostPorts {
  hosts: HostReader;
  clock: Clock;
}

/** Today is one of them. */
const maxDays = statisticsKeptDays + 1;

/** How hosts were dealt with, and what holds them up, for operators. */
export function hostRoutes({ hosts, clock }: HostPorts): Hono {
  const app = new Hono();

  app.get("/hosts/:host", refuseQuery, async (context) => {
    const hostKey = parseHostKey(context.req.param("host"));
    const state = await hosts.state(hostKey);
    return state === undefined ? notFound(context, hostKey) : context.json(describeHost(state, clock.now()));
  });

  /**
   * The figures of the days from `from` to `to`, by UTC; days on which it was not asked are left out. Without parameters those
   * that are kept.
   */
  app.get("/hosts/:host/statistics", async (context) => {
    const hostKey = parseHostKey(context.req.param("host"));
    const today = utcDay(clock.now());
    const { to, from = daysBefore(to, statisticsKeptDays) } = parseQuery(
      context,
      z.strictObject({ from: z.iso.date().optional(), to: z.iso.date().default(today) }),
    );
    const days = daysBetween(from, to, { most: maxDays });
    if (days === undefined) {
      throw new InputError("to", to, `must be 0 to ${maxDays - 1} days after from, ${from}`);
    }
    const figures = await hosts.statistics(hostKey, days);
    if (figures.length === 0 && (await hosts.state(hostKey)) === undefined) return notFound(context, hostKey);
    return context.json({
      host: hostKey,
      days: figures.map(({ day, numbers }) => describeDay(day, numbers)),
    });
  });

  return app;
}

/** @throws InputError for what names no host */
function parseHostKey(name: string): string {
  const hostKey = hostKeyOfName(name);
  if (hostKey !== undefined) return hostKey;
  throw new InputError(
    "host",
    name,
    "must be the name of a host, with its port where that is not the scheme's own",
  );
}

function notFound(context: Context, hostKey: string) {
  return context.json({ error: `nothing is known of the host ${hostKey}` }, 404);
}
