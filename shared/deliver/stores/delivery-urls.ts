import { variable } from "../../adapters/aws/environment.ts";
import { downloadUrl } from "../../adapters/aws/presigned-urls.ts";
import type { DeliveryUrls } from "../stage-results/delivery-urls.ts";

/** Provides URLs of delivered files. */
export function deliveryUrls(): DeliveryUrls {
  const Bucket = variable("deliveriesBucket");
  return { downloadDelivery: ({ key, fileName }) => downloadUrl({ Bucket, Key: key }, fileName) };
}
