import { ConfigError, InputError } from "../shared/core/errors.ts";
import { causeOf, checkStores, type StoreCheck } from "./check-stores.ts";
import { storeFiles } from "./cloud/state-identity.ts";
import { limitOf } from "./resource-limits.ts";

/**
 * Describes why the state cannot be used, and what to do. It calls nothing damaged that was not checked, and
 * never advises deleting anything.
 */
export function adviseOnState(thrown: unknown, stateDir: string): string {
  const error = causeOf(thrown);
  const reason = error instanceof Error ? error.message : String(error);
  if (limitOf(error) !== undefined) return describeLimit(error);
  const check = checkStores(Object.values(storeFiles(stateDir)));
  return `${reason}. ${adviceFor(check, reason)}`;
}

/**
 * Names the limit of this machine that an error is about, and a remedy; `undefined` for any other error.
 * Errors that already have advice are unchanged.
 */
export function adviseOnLimit(thrown: unknown): string | undefined {
  if (thrown instanceof ConfigError || thrown instanceof InputError) return undefined;
  const error = causeOf(thrown);
  return limitOf(error) === undefined ? undefined : describeLimit(error);
}

function adviceFor(check: StoreCheck, reason: string): string {
  if (check.type === "intact") {
    return "A check of the state (quick_check) finds no damage: keep it. If this happens at each start, report it.";
  }
  if (check.type === "damaged") {
    return (
      `${check.file} is damaged${check.detail === reason ? "" : ` (${check.detail})`}. Restore the state folder from a ` +
      "copy. Without one, keep the folder and start a new state with --state; Ingather then delivers everything again."
    );
  }
  if (limitOf(check.error) !== undefined) return describeLimit(check.error);
  const { message = String(check.error) } = check.error as Error;
  return `The state could not be checked (${message}): keep it. If this happens at each start, check the disk.`;
}

function describeLimit(error: unknown): string {
  const limit = limitOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  return `${limit?.meaning} (${limit?.name}): ${reason.replace(/\.$/, "")}. To continue, ${limit?.remedy}; the state is intact, and the next start continues with it.`;
}
