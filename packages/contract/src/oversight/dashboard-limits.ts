/** Apart from the schemas, which a page does not load. */

/** Between two samples of a node. */
export const SAMPLE_EVERY_MS = 5_000
/** Samples that are kept of a node: one hour. */
export const SAMPLES_KEPT = 720
