import { useNavigate } from '@tanstack/react-router'
import { CircleUserRound, Keyboard, LogOut, MessageSquareText, MonitorSmartphone, UserRoundCog } from 'lucide-react'
import { useState } from 'react'
import { useUploads } from '../../../features/content/uploads/index.ts'
import { useSite } from '../../../features/foundation/site/index.ts'
import { logOut, useAccount } from '../../../features/identity/auth/index.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { LOCALES, useLocaleStore, useTexts } from '../../../lib/texts.tsx'
import { THEMES } from '../../../lib/theme.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { MenuButton, MenuChoices, MenuEntries, MenuSeparator } from '../../../ui/menu.tsx'
import styles from './shell.module.css'
import { useHasMenu } from './side.tsx'
import { StorageMeter } from './storage-meter.tsx'

export interface AccountMenuProps {
  readonly onShortcuts: () => void
  readonly onMessages: () => void
}

export function AccountMenu(props: AccountMenuProps) {
  const texts = useTexts()
  const { user } = useAccount()
  const navigate = useNavigate()
  const hasMenu = useHasMenu()
  const { leave, question } = useLogOut()
  const name = user.name === '' ? user.account : user.name
  return (
    <>
      <MenuButton
        align="end"
        trigger={
          <Button
            kind="quiet"
            className={styles['account']}
            aria-label={texts('account.menu', { account: name })}
            data-testid="account"
          >
            <CircleUserRound size={20} aria-hidden="true" />
            <span translate="no">{name}</span>
          </Button>
        }
      >
        {!hasMenu && <StorageMeter />}
        <MenuEntries
          entries={[
            {
              id: 'profile',
              label: texts('pages.profile'),
              icon: <UserRoundCog size={18} aria-hidden="true" />,
              run: () => void navigate({ to: '/profile' }),
            },
          ]}
        />
        <MenuSeparator />
        <Preferences />
        <MenuSeparator />
        <HelpEntries {...props} />
        <MenuSeparator />
        <MenuEntries
          entries={[
            {
              id: 'log-out',
              label: texts('account.logout'),
              icon: <LogOut size={18} aria-hidden="true" />,
              run: leave,
            },
          ]}
        />
      </MenuButton>
      {question}
    </>
  )
}

/** Logs out; while uploads are unfinished only after a question. */
function useLogOut() {
  const texts = useTexts()
  const { api, session } = useServices()
  const uploads = useUploads()
  const [isAsking, setAsking] = useState(false)
  const logOutNow = (): void => logOut(api, session, 'logged-out')
  const question = isAsking && (
    <ConfirmAction
      title={texts('account.logout.title')}
      text={texts('account.logout.text')}
      submitLabel={texts('account.logout')}
      onConfirm={logOutNow}
      onClose={() => setAsking(false)}
    />
  )
  return { leave: () => (uploads.isUnfinished ? setAsking(true) : logOutNow()), question }
}

/** Language and theme. */
function Preferences() {
  const texts = useTexts()
  const { englishOnly } = useSite()
  const { theme } = useServices()
  const locale = useLocaleStore()
  const shownTheme = useStore(theme)
  return (
    <>
      {englishOnly !== 1 && (
        <MenuChoices
          label={texts('language.label')}
          value={texts.locale}
          choices={LOCALES.map((each) => ({ value: each, label: texts(`language.${each}`), lang: each }))}
          onChange={(next) => locale.set(next)}
        />
      )}
      <MenuChoices
        label={texts('theme.label')}
        value={shownTheme}
        choices={THEMES.map((each) => ({ value: each, label: texts(`theme.${each}`) }))}
        onChange={(next) => theme.set(next)}
      />
    </>
  )
}

function HelpEntries({ onShortcuts, onMessages }: AccountMenuProps) {
  const texts = useTexts()
  const install = useStore(useServices().install)
  return (
    <MenuEntries
      entries={[
        {
          id: 'shortcuts',
          label: texts('account.shortcuts'),
          icon: <Keyboard size={18} aria-hidden="true" />,
          keys: ['?'],
          run: onShortcuts,
        },
        {
          id: 'messages',
          label: texts('account.messages'),
          icon: <MessageSquareText size={18} aria-hidden="true" />,
          run: onMessages,
        },
        ...(install === undefined
          ? []
          : [
              {
                id: 'install',
                label: texts('install.action'),
                icon: <MonitorSmartphone size={18} aria-hidden="true" />,
                run: install,
              },
            ]),
      ]}
    />
  )
}
