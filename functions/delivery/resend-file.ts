import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { deliveryStore } from "../../shared/adapters/aws/delivery/delivery-store.ts";
import { resendStore } from "../../shared/adapters/aws/delivery/resend-store.ts";
import { secrets } from "../../shared/adapters/aws/secrets.ts";
import { sftp } from "../../shared/adapters/sftp/sftp.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { resendFile, resendRequest } from "../../shared/deliver/upload/resend.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Sends a delivered file to its receiver once more. */
export const handler = sqsHandler({
  message: resendRequest,
  services: () => ({
    resends: resendStore(),
    deliveries: deliveryStore(),
    sources: sourceStore(),
    sftp: sftp(secrets()),
    clock: systemClock,
  }),
  handle: resendFile,
});
