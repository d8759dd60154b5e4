import type { UpgradeReason } from '@godwit/contract'

/** Why the program stays as it is. */
export class UpgradeError extends Error {
  readonly reason: UpgradeReason

  constructor(reason: UpgradeReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'unknown error'
}
