import type { UpgradeRefusal } from '@godwit/contract'

/** Why the program stays as it is. */
export class UpgradeError extends Error {
  readonly reason: UpgradeRefusal

  constructor(reason: UpgradeRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
