import type { LocalClientView, LocalSending } from '@godwit/contract'
import { type SyntheticEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AccountField } from './account-field.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

interface SendingProps {
  readonly sending: LocalSending
  readonly accounts: LocalClientView['accounts']
  readonly act: Act
}

/** Files that were chosen in a file manager: where do they go? */
export function SendingCard({ sending, accounts, act }: SendingProps) {
  const texts = useTexts()
  const { count, names, left } = sending
  const more = count - names.length
  return (
    <div className={styles['asked']}>
      <SectionCard title={texts('local.send', { count })}>
        <ul className={styles['chosen']} translate="no">
          {names.map((name, at) => (
            <li key={`${at} ${name}`}>{name}</li>
          ))}
        </ul>
        {more > 0 && <p className={styles['note']}>{texts('local.conflicts.more', { count: more })}</p>}
        {left.map(({ name, fault }, at) => (
          <Notice key={`${at} ${name}`} kind="warning">
            {texts(`local.send.${fault}`, { name })}
          </Notice>
        ))}
        {accounts.length === 0 && <Notice kind="info">{texts('local.send.sign-in')}</Notice>}
        <SendForm isReady={count > 0 && accounts.length > 0} accounts={accounts} act={act} />
      </SectionCard>
    </div>
  )
}

interface SendFormProps extends Omit<SendingProps, 'sending'> {
  readonly isReady: boolean
}

function SendForm({ isReady, accounts, act }: SendFormProps) {
  const texts = useTexts()
  const [target, setTarget] = useState('/')
  const [chosen, setChosen] = useState(0)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const who = accounts[chosen] ?? accounts[0]
    if (isReady && who !== undefined && target !== '')
      await act({ action: 'send', server: who.server, account: who.account, target })
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={texts('local.send.target')}
        value={target}
        maxLength={4096}
        onChange={(event) => setTarget(event.target.value)}
      />
      <AccountField accounts={accounts} chosen={chosen} onChoose={setChosen} />
      <span className={styles['choices']}>
        <Button type="submit" kind="solid" disabled={!isReady || target === ''}>
          {texts('local.send.send')}
        </Button>
        <Button onClick={() => void act({ action: 'send-stop' })}>{texts('common.cancel')}</Button>
      </span>
    </form>
  )
}
