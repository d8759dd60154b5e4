import { z } from 'zod'

/** What uploads of a user, or of everyone in a group, leave out. */
export const uploadRules = {
  /** 1: the client may not change the filters below. */
  forbidClientFilterSwitch: z.int(),
  transIgnoreRegSwitch: z.int(),
  /** Patterns, separated by semicolons. */
  transIgnoreReg: z.string(),
  transIgnoreSizeSwitch: z.int(),
  /** MB. */
  transIgnoreSize: z.int(),
  /** 1: a file whose name is taken is left out. */
  transSkipSameName: z.int(),
}

/** What a user, or everyone in a group, transfers and what the client leaves out. */
export const transferRules = {
  ...uploadRules,
  transSyncSwitch: z.int(),
  /** 0: on every change; 1: when a file has not changed for a minute. */
  transSyncTriggeringCondition: z.int(),
}
