import type { LocalClientView } from '@godwit/contract'
import { X } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

export function SettingsCard({ view, act }: { readonly view: LocalClientView; readonly act: Act }) {
  const texts = useTexts()
  const { allowed, downloads } = view
  return (
    <SectionCard title={texts('local.settings')}>
      <SwitchField
        name="autostart"
        label={texts('local.settings.autostart')}
        hint={texts('local.settings.autostart-hint')}
        isOn={view.autostart}
        onChange={(isOn) => void act({ action: 'autostart', isOn })}
      />
      {view.notifications !== null && (
        <SwitchField
          name="notifications"
          label={texts('local.settings.notifications')}
          hint={texts('local.settings.notifications-hint')}
          isOn={view.notifications}
          onChange={(isOn) => void act({ action: 'notifications', isOn })}
        />
      )}
      <FolderForm
        key={downloads}
        label={texts('local.settings.downloads')}
        hint={texts('local.settings.downloads-hint')}
        button={texts('common.save')}
        initial={downloads}
        onSubmit={(folder) => act({ action: 'downloads', folder })}
      />
      <OwnFilters view={view} act={act} />
      <h3 className={styles['subtitle']}>{texts('local.settings.allowed')}</h3>
      <p className={styles['note']}>{texts('local.settings.allowed-lead')}</p>
      {allowed.length > 0 && (
        <ul className={styles['plain']}>
          {allowed.map((folder) => (
            <li key={folder} className={styles['line']}>
              <span className={styles['pair']} translate="no">
                {folder}
              </span>
              <IconButton
                label={texts('local.settings.forbid', { name: folder })}
                icon={<X size={16} aria-hidden="true" />}
                onClick={() => void act({ action: 'forbid', folder })}
              />
            </li>
          ))}
        </ul>
      )}
      <FolderForm
        label={texts('local.settings.allow-label')}
        button={texts('local.settings.allow')}
        initial=""
        onSubmit={(folder) => act({ action: 'allow', folder })}
      />
    </SectionCard>
  )
}

/** What uploads of this computer leave out, and for whom that is not allowed. */
function OwnFilters({ view, act }: { readonly view: LocalClientView; readonly act: Act }) {
  const texts = useTexts()
  return (
    <>
      <FolderForm
        key={`filters ${view.exclude}`}
        label={texts('local.settings.filters')}
        hint={texts('local.settings.filters-hint')}
        button={texts('common.save')}
        initial={view.exclude}
        mayBeEmpty
        onSubmit={(patterns) => act({ action: 'exclude', patterns })}
      />
      {view.exclude !== '' &&
        view.accounts
          .filter(({ isLocked }) => isLocked)
          .map(({ server, account }) => (
            <p key={`${server} ${account}`} className={styles['note']}>
              {texts('local.settings.filters-locked', { account, server })}
            </p>
          ))}
    </>
  )
}

interface FolderFormProps {
  readonly label: string
  readonly hint?: string
  readonly button: string
  readonly initial: string
  readonly mayBeEmpty?: boolean
  /** Resolves with whether it was done. */
  readonly onSubmit: (folder: string) => Promise<boolean>
}

function FolderForm({ label, hint, button, initial, mayBeEmpty = false, onSubmit }: FolderFormProps) {
  const [folder, setFolder] = useState(initial)
  const isReady = folder !== initial && (mayBeEmpty || folder !== '')
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (isReady && (await onSubmit(folder))) setFolder(initial)
  }
  return (
    <form className={styles['folder']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={label}
        hint={hint}
        value={folder}
        maxLength={4096}
        onChange={(event) => setFolder(event.target.value)}
      />
      <Button type="submit" disabled={!isReady}>
        {button}
      </Button>
    </form>
  )
}
