import { z } from 'zod'

/** What a person, or everyone inside a group, transfers and what the client leaves out (document 1, section 3). */
export const transferRules = {
  /** 1: the client may not change the filters below. */
  forbidClientFilterSwitch: z.int(),
  transIgnoreRegSwitch: z.int(),
  /** Patterns, separated by semicolons. */
  transIgnoreReg: z.string(),
  transIgnoreSizeSwitch: z.int(),
  /** MB. */
  transIgnoreSize: z.int(),
  transSyncSwitch: z.int(),
  /** 0: on every change; 1: when a file has not changed for a minute. */
  transSyncTriggeringCondition: z.int(),
}
