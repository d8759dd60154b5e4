import { ERRORS } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { Texts } from '../../../lib/texts.tsx'
import { failureText } from '../../../lib/transfer-failure.ts'

/** Why a transfer or a file of it failed or waits, or a watched folder rests, in words. */
export function itemFailure(code: string, texts: Texts): string {
  if (code === 'signed-out') return texts.failure(new ApiError({ code: ERRORS.LOCAL_SIGNED_OUT.wire, message: code }))
  if (code === 'folder-missing') return texts('local.watches.missing')
  return failureText(code, texts)
}
