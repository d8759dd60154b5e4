import type { LocalClientView } from '@godwit/contract'
import { ApiError } from '@godwit/contract/wire/api-error'
import { useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { SignIn } from './sign-in.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

interface AccountsCardProps {
  readonly view: LocalClientView
  readonly act: Act
  /** Another place of the page does not ask already. */
  readonly hasForm: boolean
}

export function AccountsCard({ view, act, hasForm }: AccountsCardProps) {
  const texts = useTexts()
  const { accounts } = view
  if (accounts.length === 0 && !hasForm) return null
  return (
    <SectionCard title={texts('local.accounts')}>
      {accounts.length > 0 && (
        <ul className={styles['plain']}>
          {accounts.map(({ server, account, isConnected, reason, refusal }) => (
            <li key={`${server} ${account}`} className={styles['line']}>
              <span className={styles['pair']} translate="no">
                <span>{account}</span>
                <small className={styles['note']}>{server}</small>
                {reason !== '' && (
                  <small className={styles['bad']} translate="yes">
                    {refusal === 0 ? reason : texts.failure(new ApiError({ code: refusal, message: reason }))}
                  </small>
                )}
              </span>
              <Tag tone={isConnected ? 'good' : 'bad'}>
                {texts(isConnected ? 'local.accounts.connected' : 'local.accounts.away')}
              </Tag>
            </li>
          ))}
        </ul>
      )}
      {hasForm && (
        <>
          <p className={styles['note']}>
            {texts(accounts.length === 0 ? 'local.accounts.none' : 'local.accounts.add')}
          </p>
          <SignIn signIn={view.signIn} server="" act={act} />
        </>
      )}
    </SectionCard>
  )
}
