/** Apart from the schemas, which a page does not load. */

/** Between two samples of a node. */
export const SAMPLE_EVERY_MS = 5_000
/** Samples that are kept of a node: one hour. */
export const SAMPLES_KEPT = 720

/** What a new site needs before people rely on it, in the order in which it is done. */
export const CHECKLIST_STEPS = ['storage', 'mail', 'people', 'address', 'backup', 'secondFactor'] as const
