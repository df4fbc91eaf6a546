/** URLs of delivered files, which work for a while. */
export interface DeliveryUrls {
  /** @param delivery with its key in the bucket of deliveries */
  downloadDelivery(delivery: { key: string; fileName: string }): Promise<string>;
}
