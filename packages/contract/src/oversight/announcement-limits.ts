/** Apart from the schemas, which a page does not load. */

/**
 * planned: its time has not come. sending: under way. sent: everyone was reached. cancelled: nobody more is reached.
 */
export const ANNOUNCEMENT_STATES = ['planned', 'sending', 'sent', 'cancelled'] as const
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number]

export const ANNOUNCEMENT_LIMITS = {
  titleMax: 120,
  textMax: 4000,
  /** Single people; more than that are a group or a department. */
  usersMax: 200,
  groupsMax: 100,
  departmentsMax: 100,
  /** Suggestions of one kind. */
  targetsShown: 10,
} as const
