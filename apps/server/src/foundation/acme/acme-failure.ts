import type { AcmeReason } from '@godwit/contract'
import { AnswerTooLong, OutboundError } from '../../kernel/outbound/index.ts'

/** Longer words are cut: they are shown to people, and the authority chooses them. */
const WORDS_MAX = 500

/** Why there is no certificate. Nothing of it touches the one in force. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure'
  readonly reason: AcmeReason
  /** In the words of the authority, or of the connection to it: one line. */
  readonly words: string

  constructor(reason: AcmeReason, words: string, options?: ErrorOptions) {
    super(`${reason}: ${words}`, options)
    this.reason = reason
    this.words = oneLine(words)
  }
}

/** Whatever went wrong, as a failure that can be shown. */
export function toAcmeFailure(thrown: unknown): AcmeFailure {
  if (thrown instanceof AcmeFailure) return thrown
  const options = { cause: thrown }
  if (thrown instanceof OutboundError)
    return new AcmeFailure(thrown.reason === 'not-allowed' ? 'not-allowed' : 'unreachable', thrown.reason, options)
  if (thrown instanceof AnswerTooLong) return new AcmeFailure('answer', 'too long', options)
  return new AcmeFailure('unreachable', thrown instanceof Error ? thrown.message : String(thrown), options)
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX)
}
