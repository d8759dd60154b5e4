import type { HookDelivery, TestedHook } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

/** What came back, in words: a status, or why there is none. */
export function outcomeText({ status, reason }: Pick<HookDelivery, 'status' | 'reason'>, texts: Texts): string {
  if (status !== null) return texts('hooks.outcome.status', { status: String(status) })
  return reason === null ? '-' : texts(`hooks.reason.${reason}`)
}

export function testText(tested: TestedHook, texts: Texts): string {
  const values = { outcome: outcomeText(tested, texts), ms: tested.ms }
  return texts(tested.isDelivered ? 'hooks.test.passed' : 'hooks.test.failed', values)
}
