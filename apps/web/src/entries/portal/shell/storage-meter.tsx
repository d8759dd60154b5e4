import { useAccount } from '../../../features/identity/auth/index.ts'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { SCREEN } from '@godwit/contract/limits'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './shell.module.css'

export function StorageMeter() {
  const texts = useTexts()
  const { usedBytes, quotaBytes } = useAccount().user
  const used = formatSize(usedBytes, texts.locale)
  const share = quotaBytes === 0 ? 0 : usedBytes / quotaBytes
  const tone = share >= SCREEN.progressError ? 'error' : share >= SCREEN.progressWarning ? 'warning' : 'active'
  return (
    <div className={styles['storage']}>
      <span>
        {quotaBytes === 0
          ? texts('storage.used-unlimited', { used })
          : texts('storage.used', { used, quota: formatSize(quotaBytes, texts.locale) })}
      </span>
      {quotaBytes > 0 && <ProgressBar label={texts('storage.label')} value={share} tone={tone} />}
    </div>
  )
}
