import type { UpgradeFailure } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { upgradeFailureFacts } from '../../../lib/upgrade-failure.ts'

/** Why the client runs an older version, and what can be done about it. */
export function FailedUpgrade({ failure }: { readonly failure: UpgradeFailure }) {
  const texts = useTexts()
  return texts('client.bar.failure', upgradeFailureFacts(failure, texts))
}
