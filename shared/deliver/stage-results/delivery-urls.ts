/** Provides URLs of delivered files that are valid for a limited time. */
export interface DeliveryUrls {
  /**
   * Returns the URL of a file.
   * @param delivery a delivery with its key in the bucket of deliveries
   */
  downloadDelivery(delivery: { key: string; fileName: string }): Promise<string>;
}
