/** States and kinds of the console's oversight pages. */
export const EVENT_STATES = ['activated', 'inactivated'] as const
export const NOTICE_TYPES = ['spaceManagement', 'transfer', 'deliveryReview', 'antivirus'] as const
export const NOTICE_CHANNELS = ['website', 'email'] as const
export const VIEW_SCOPES = ['own', 'all'] as const
export const STATISTICS_STEPS = ['day', 'month'] as const
export const STATISTICS_MEASURES = ['fileSize', 'fileCount'] as const
export const TOAST_TYPES = ['info', 'warning', 'success', 'error', 'loading', 'custom'] as const
/** Clicking a column header cycles through these. */
export const SORT_CYCLE = ['ascending', 'descending', 'none'] as const
