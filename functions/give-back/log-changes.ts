import { randomBytes } from "node:crypto";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { logChanges } from "../../shared/give-back/log/log-changes.ts";
import { changeLogStore } from "../../shared/give-back/stores/change-log-store.ts";
import { loggedItems } from "../../shared/give-back/stores/logged-items.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** The time for which an invocation works; the next one continues. Its timeout is five minutes. */
const workMs = 240_000;

const tokenKeyBytes = 32;

/** Logs the changes of records and documents, in the order in which harvesters see them. */
export const handler = scheduledHandler({
  services: () => ({
    log: changeLogStore(),
    items: loggedItems(),
    leases: leaseStore(),
    clock: systemClock,
    newTokenKey: () => randomBytes(tokenKeyBytes).toString("base64url"),
  }),
  handle: (services) => logChanges(new Date(Date.now() + workMs), services),
});
