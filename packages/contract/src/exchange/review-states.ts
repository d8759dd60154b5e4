/** States of a review request, as numbers on the wire. */
export const REVIEW_STATUS = { reviewing: 3, rejected: 4, approved: 5 } as const

/** What an approver decided (`auditResult`). */
export const AUDIT_RESULT = { approved: 1, rejected: 2 } as const

/** State of one approver in a step; `triggered` marks the creation at the top of the timeline. */
export const APPROVER_STATUS = { awaiting: 0, approved: 1, rejected: 2, triggered: 10 } as const

/** `mode` of a step: 1 needs everyone (countersign), any other value the first agreement. */
export const STEP_MODE = { all: 1, any: 2 } as const

export function requiresEveryApprover(mode: number): boolean {
  return mode === STEP_MODE.all
}

/** `audit_type` of an approver: 1 is an administrator. */
export const APPROVER_TYPE = { user: 0, admin: 1 } as const
