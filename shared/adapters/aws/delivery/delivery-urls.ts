import type { DeliveryUrls } from "../../../api/delivery-routes.ts";
import { variable } from "../environment.ts";
import { downloadUrl } from "../presigned-urls.ts";

/** URLs of delivered files. */
export function deliveryUrls(): DeliveryUrls {
  const Bucket = variable("deliveriesBucket");
  return { downloadDelivery: ({ key, fileName }) => downloadUrl({ Bucket, Key: key }, fileName) };
}
