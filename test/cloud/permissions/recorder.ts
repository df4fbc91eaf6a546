import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { AccessObserver } from "../../../local/cloud/iam/access.ts";

/** A use of a permission. */
export interface Use {
  /** The function. */
  session: string;
  action: string;
  resource: string;
}

/** Writes what functions use to files of a folder, for `npm run permissions`. */
export function recordedPermissions(): { onAccess?: AccessObserver } {
  const folder = process.env.USED_PERMISSIONS;
  if (folder === undefined) return {};
  const seen = new Set<string>();
  return {
    onAccess: ({ session }, { action, resource }) => {
      // Of an object, the folder: policies name no more.
      const named = resource.replace(/^(arn:aws:s3:::[^/]+\/[\w-]+\/).+$/, "$1x");
      const line = JSON.stringify({ session, action, resource: named });
      if (seen.has(line)) return;
      seen.add(line);
      appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`);
    },
  };
}
