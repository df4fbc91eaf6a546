export const deliveryModes = ["NONE", "TEST", "LIVE"] as const;

export type DeliveryMode = (typeof deliveryModes)[number];
