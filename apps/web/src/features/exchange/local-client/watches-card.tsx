import type { LocalClientView, SyncDirection } from '@godwit/contract'
import { X } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AccountField } from './account-field.tsx'
import { itemFailure } from './item-failure.ts'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

const DIRECTIONS: readonly SyncDirection[] = ['upload', 'download']

interface WatchesCardProps {
  readonly view: LocalClientView
  readonly act: Act
}

export function WatchesCard({ view, act }: WatchesCardProps) {
  const texts = useTexts()
  return (
    <SectionCard title={texts('local.watches')} lead={texts('local.watches.lead')}>
      {view.watches.length > 0 && (
        <ul className={styles['plain']}>
          {view.watches.map(({ direction, root, target, error }) => (
            <li key={root} className={styles['line']}>
              <span className={styles['pair']} translate="no">
                <span>{root}</span>
                <small className={styles['note']}>
                  {texts(direction === 'upload' ? 'local.to' : 'local.from', { target })}
                </small>
                {error !== '' && <small className={styles['error']}>{itemFailure(error, texts)}</small>}
              </span>
              <IconButton
                label={texts('local.watches.stop', { name: root })}
                icon={<X size={16} aria-hidden="true" />}
                onClick={() => void act({ action: 'unwatch', root })}
              />
            </li>
          ))}
        </ul>
      )}
      {view.accounts.length > 0 && <WatchForm accounts={view.accounts} act={act} />}
    </SectionCard>
  )
}

function WatchForm({ accounts, act }: Pick<LocalClientView, 'accounts'> & { readonly act: Act }) {
  const texts = useTexts()
  const [direction, setDirection] = useState<SyncDirection>('upload')
  const [root, setRoot] = useState('')
  const [target, setTarget] = useState('/')
  const [chosen, setChosen] = useState(0)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const who = accounts[chosen] ?? accounts[0]
    if (who === undefined || root === '' || target === '') return
    const { server, account } = who
    if (await act({ action: 'watch', direction, root, target, server, account })) setRoot('')
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={texts('local.watches.root')}
        hint={texts('local.watches.root-hint')}
        value={root}
        maxLength={4096}
        onChange={(event) => setRoot(event.target.value)}
      />
      <TextField
        label={texts('local.watches.target')}
        value={target}
        maxLength={4096}
        onChange={(event) => setTarget(event.target.value)}
      />
      <SelectField
        label={texts('local.watches.direction')}
        choices={DIRECTIONS.map((value) => ({ value, label: texts(`local.watches.${value}`) }))}
        value={direction}
        onChange={(event) => setDirection(event.target.value === 'download' ? 'download' : 'upload')}
      />
      <AccountField accounts={accounts} chosen={chosen} onChoose={setChosen} />
      <Button type="submit" disabled={root === '' || target === ''}>
        {texts('local.watches.add')}
      </Button>
    </form>
  )
}
