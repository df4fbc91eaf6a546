/** The audiences for which the records of a set are published: Primo VE, and the Digital Public Library of America. */
export const setAudiences = ["primo", "dpla"] as const;
export type SetAudience = (typeof setAudiences)[number];
