/** The audiences that the records of a set are published for: Primo VE, and the Digital Public Library of America. */
export const setAudiences = ["primo", "dpla"] as const;
export type SetAudience = (typeof setAudiences)[number];
