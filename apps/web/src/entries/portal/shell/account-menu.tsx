import { useNavigate } from '@tanstack/react-router'
import {
  CircleUserRound,
  Keyboard,
  LogOut,
  MessageSquareText,
  MonitorSmartphone,
  SlidersHorizontal,
  UserRoundCog,
} from 'lucide-react'
import { useState } from 'react'
import { useUploads } from '../../../features/content/uploads/index.ts'
import { useSite } from '../../../features/foundation/site/index.ts'
import { logOut, useAccount } from '../../../features/identity/auth/index.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { MenuButton, MenuEntries, MenuSeparator } from '../../../ui/menu.tsx'
import { PreferenceChoices } from '../../../ui/preference-choices.tsx'
import styles from './shell.module.css'
import { useHasMenu } from './side.tsx'
import { StorageMeter } from './storage-meter.tsx'

export interface AccountMenuProps {
  readonly onShortcuts: () => void
  readonly onMessages: () => void
}

export function AccountMenu(props: AccountMenuProps) {
  const texts = useTexts()
  const { englishOnly } = useSite()
  const { user } = useAccount()
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
        <Places />
        <MenuSeparator />
        <PreferenceChoices hasLanguages={englishOnly !== 1} />
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

/** Where else one can go from here: the profile, and for administrators their console. */
function Places() {
  const texts = useTexts()
  const { isAdmin } = useAccount().user
  const navigate = useNavigate()
  const profile = {
    id: 'profile',
    label: texts('pages.profile'),
    icon: <UserRoundCog size={18} aria-hidden="true" />,
    run: () => void navigate({ to: '/profile' }),
  }
  const administration = {
    id: 'console',
    label: texts('account.console'),
    icon: <SlidersHorizontal size={18} aria-hidden="true" />,
    // A page of its own, with code of its own.
    run: () => location.assign('/admin'),
  }
  return <MenuEntries entries={isAdmin ? [profile, administration] : [profile]} />
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
