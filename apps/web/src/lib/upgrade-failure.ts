import type { UpgradeFailure } from '@godwit/contract'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { Texts } from './texts.tsx'

/** What a sentence about an upgrade that did not come about is filled with. */
export function upgradeFailureFacts({ version, code }: UpgradeFailure, texts: Texts) {
  const error = new ApiError({ code, message: '' })
  return { version, reason: texts.failure(error), reference: texts.reference(error) ?? '' }
}
