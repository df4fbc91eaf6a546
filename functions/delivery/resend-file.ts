import { secrets } from "../../shared/adapters/aws/secrets.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { deliveryStore } from "../../shared/deliver/stores/delivery-store.ts";
import { resendStore } from "../../shared/deliver/stores/resend-store.ts";
import { sftp } from "../../shared/deliver/stores/sftp.ts";
import { failResend, resendFile, resendRequest } from "../../shared/deliver/upload/resend.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Sends a delivered file to its receiver again. */
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
  settle: failResend,
});
