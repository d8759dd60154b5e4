import type { LocalClientView } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import styles from './local.module.css'

export function AccountsCard({ accounts }: Pick<LocalClientView, 'accounts'>) {
  const texts = useTexts()
  return (
    <SectionCard title={texts('local.accounts')}>
      {accounts.length > 0 && (
        <ul className={styles['plain']}>
          {accounts.map(({ server, account, isConnected, reason }) => (
            <li key={`${server} ${account}`} className={styles['line']}>
              <span className={styles['pair']} translate="no">
                <span>{account}</span>
                <small className={styles['note']}>{server}</small>
                {reason !== '' && <small className={styles['bad']}>{reason}</small>}
              </span>
              <Tag tone={isConnected ? 'good' : 'bad'}>
                {texts(isConnected ? 'local.accounts.connected' : 'local.accounts.away')}
              </Tag>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['note']}>{texts(accounts.length === 0 ? 'local.accounts.none' : 'local.accounts.add')}</p>
      <code className={styles['command']} translate="no">
        {texts('local.accounts.command')}
      </code>
    </SectionCard>
  )
}
