/** States of a delivery, as numbers on the wire. */
export const DELIVERY_STATUS = {
  created: 0,
  preparing: 1,
  preparationFailed: 2,
  reviewing: 3,
  reviewFailed: 4,
  inDelivery: 5,
  completed: 6,
  /** The target or a recipient is invalid. */
  failed: 7,
  /** Technical fault. */
  error: 8,
  /** A policy intercepted it. */
  blocked: 9,
} as const
export type DeliveryStatusName = keyof typeof DELIVERY_STATUS
export type DeliveryStatus = (typeof DELIVERY_STATUS)[DeliveryStatusName]

/** What the list can be filtered by. */
export const DELIVERY_FILTER = ['inDelivery', 'reviewing', 'reviewFailed', 'completed', 'failed'] as const

/** Shown as failed, with the remark in a tooltip; these can also be retried. */
const FAILED: readonly number[] = [DELIVERY_STATUS.preparationFailed, DELIVERY_STATUS.failed, DELIVERY_STATUS.error]

export function isShownAsFailed(status: DeliveryStatus): boolean {
  return FAILED.includes(status)
}

/** What an audit policy does with a delivery it matches. */
export const POLICY_ACTIONS = ['review', 'pass', 'intercept'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]
